import type { Operation } from './request/invocation.ts';
import { pathId } from './request/path-id.ts';
import { bearerToken } from './request/proxy-event.ts';
import { resultResponse, returned } from './response/responses.ts';
import { ROUTES } from './routes.ts';
import type { Find } from './store/find.ts';
import type { TokenFinder } from './tokens/access-token-table.ts';

/** Reads a plant by its id. */
export function readPlant(accessTokens: TokenFinder, find: Find): Operation {
  return async ({ event, requestId, calls, log }) => {
    log.token = await accessTokens.find(bearerToken(event), calls);
    const id = pathId(ROUTES.readPlant, event);
    log.id = String(id);
    const plant = await find(id, calls);
    log.outcome = 'found';
    return resultResponse(returned(plant), requestId);
  };
}

import type { Operation } from './request/invocation.ts';
import { pathId } from './request/path-id.ts';
import { bearerToken } from './request/proxy-event.ts';
import { resultResponse } from './response/responses.ts';
import { ROUTES } from './routes.ts';
import type { Delete } from './store/delete.ts';
import type { TokenFinder } from './tokens/access-token-table.ts';

/** Deletes a plant by its id. */
export function deletePlant(accessTokens: TokenFinder, remove: Delete): Operation {
  return async ({ event, requestId, calls, log }) => {
    log.token = await accessTokens.find(bearerToken(event), calls);
    const id = pathId(ROUTES.deletePlant, event);
    log.id = String(id);
    log.outcome = await remove(id, calls);
    return resultResponse({ deleted: true }, requestId);
  };
}

import { Failure } from './errors.ts';
import { checkPlant, NEEDED } from './request/check-plant.ts';
import type { Operation } from './request/invocation.ts';
import { parseJson } from './request/parse-json.ts';
import { pathId } from './request/path-id.ts';
import { bearerToken, bodyText } from './request/proxy-event.ts';
import { resultResponse, returned } from './response/responses.ts';
import { ROUTES } from './routes.ts';
import type { Change } from './store/change.ts';
import type { TokenFinder } from './tokens/access-token-table.ts';

/** Changes a plant to its next version. */
export function changePlant(accessTokens: TokenFinder, change: Change): Operation {
  return async ({ event, requestId, calls, log }) => {
    log.token = await accessTokens.find(bearerToken(event), calls);
    const plant = checkPlant(parseJson(bodyText(event), NEEDED));
    log.id = String(plant.id);
    if (pathId(ROUTES.changePlant, event) !== plant.id) throw refusal('id must be that of the path.');
    const { version = 1n } = plant;
    if (version < 2n) throw refusal('version must be that of the plant, and 1: at least 2.');
    log.outcome = await change(plant, version, calls);
    return resultResponse(returned(plant), requestId);
  };
}

function refusal(message: string): Failure {
  return new Failure('INVALID_PLANT', { message });
}

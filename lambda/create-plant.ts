import type { Json } from './json.ts';
import { checkPlant, NEEDED } from './request/check-plant.ts';
import { idFormOf } from './request/id-form.ts';
import type { Operation } from './request/invocation.ts';
import { parseJson } from './request/parse-json.ts';
import { bearerToken, bodyText } from './request/proxy-event.ts';
import { resultResponse, returned } from './response/responses.ts';
import type { Create } from './store/create.ts';
import type { TokenFinder } from './tokens/access-token-table.ts';

/** Creates a plant: the steps of a request, top to bottom, after operations.ts has found its route. */
export function createPlant(accessTokens: TokenFinder, create: Create): Operation {
  return async ({ event, requestId, calls, log }) => {
    log.token = await accessTokens.find(bearerToken(event), calls);
    const body = parseJson(bodyText(event), NEEDED);
    const plant = checkPlant(body);
    log.id = String(plant.id);
    log.idForm = idFormOf((body as ReadonlyMap<string, Json>).get('id'), log.id);
    log.outcome = await create(plant, calls);
    return resultResponse(returned(plant), requestId);
  };
}

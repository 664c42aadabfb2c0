import { checkPlant, NEEDED } from './request/check-plant.ts';
import type { Operation } from './request/invocation.ts';
import { parseJson } from './request/parse-json.ts';
import { bearerToken, bodyText } from './request/proxy-event.ts';
import { resultResponse, returned } from './response/responses.ts';
import type { PlantTable } from './store/plant-table.ts';
import type { TokenFinder } from './tokens/access-token-table.ts';

/** What the steps of an operation call. */
export interface Stores<Call extends keyof PlantTable> {
  readonly accessTokens: TokenFinder;
  readonly plants: Pick<PlantTable, Call>;
}

/** Creates a plant: the steps of a request, top to bottom, after operations.ts has found its route. */
export function createPlant({ accessTokens, plants }: Stores<'create'>): Operation {
  return async ({ event, requestId, deadline: { signal }, log }) => {
    log.token = await accessTokens.find(bearerToken(event), signal);
    const plant = checkPlant(parseJson(bodyText(event), NEEDED));
    log.id = String(plant.id);
    log.outcome = await plants.create(plant, signal);
    return resultResponse(returned(plant), requestId);
  };
}

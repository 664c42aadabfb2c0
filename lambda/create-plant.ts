import type { Operation } from './middleware.ts';
import type { NewPlant } from './plant.ts';
import { parseJson } from './request/json.ts';
import { newPlant } from './request/new-plant.ts';
import { bearerToken, bodyText, requireRoute } from './request/proxy-event.ts';
import { plantResponse } from './response/responses.ts';

/** The route of the operation, which infra/ and local/ read too. */
export const ROUTE = { method: 'POST', path: '/plants' } as const;

/** Access tokens, as in store/access-token-table.ts. */
interface AccessTokens {
  /** @returns the name of a valid token @throws Failure if it is not valid, or the table cannot be read */
  find(token: string, signal: AbortSignal): Promise<string>;
}

/** The store of plants, as in store/plant-table.ts. */
interface Plants {
  /** @returns `repeated` if the same plant was there already @throws Failure if the plant is not stored, or may not be */
  create(plant: NewPlant, signal: AbortSignal): Promise<'created' | 'repeated'>;
}

/** What the steps call. */
export interface Stores {
  readonly accessTokens: AccessTokens;
  readonly plants: Plants;
}

/** Creates a plant: the steps of a request, top to bottom. */
export function createPlant({ accessTokens, plants }: Stores): Operation {
  return async ({ http, requestId, deadline: { signal }, log }) => {
    requireRoute(http, ROUTE);
    log.token = await accessTokens.find(bearerToken(http), signal);
    const plant = newPlant(parseJson(bodyText(http)));
    log.id = String(plant.id);
    log.outcome = await plants.create(plant, signal);
    return plantResponse(plant, requestId);
  };
}

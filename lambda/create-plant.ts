import middy from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { AccessTokens } from './access-tokens.ts';
import { alwaysAnswer } from './always-answer.ts';
import { plantAnswer } from './answers.ts';
import { bearerToken } from './bearer-token.ts';
import { bodyText } from './body.ts';
import { PlantStoreError } from './errors.ts';
import { parseJson } from './json.ts';
import { EARLY_ANSWER_RESERVE_MS } from './limits.ts';
import { newPlant } from './new-plant.ts';
import { requirePostPlants } from './operation.ts';
import type { Plants } from './plants.ts';
import type { CreatePlantRequest } from './request.ts';
import type { WriteLog } from './request-log.ts';

/** All that the function needs from outside. */
export interface Dependencies {
  readonly accessTokens: AccessTokens;
  readonly plants: Plants;
  readonly writeLog: WriteLog;
  /** The function's version, for the log. */
  readonly version?: string | undefined;
}

/**
 * Builds the handler of `POST /plants`: a request's way, top to bottom. A step that cannot go on throws a
 * PlantStoreError; whatever happens, the client gets 200 with a Plant or 400 with an Error, and one line is logged.
 * The steps stand in the base handler rather than in `before` hooks, because middy's early answer covers only that.
 */
export function createPlantHandler(dependencies: Dependencies) {
  const { accessTokens, plants } = dependencies;
  return middy<CreatePlantRequest, APIGatewayProxyResult>({
    timeoutEarlyInMillis: EARLY_ANSWER_RESERVE_MS,
    timeoutEarlyResponse: () => {
      throw new PlantStoreError('NO_ANSWER', { fault: 'early answer' });
    },
  })
    .use(alwaysAnswer(dependencies))
    .handler(async (request) => {
      requirePostPlants(request.http);
      request.tokenName = await accessTokens.find(bearerToken(request.http), request.signal);
      request.plant = newPlant(parseJson(bodyText(request.http)));
      request.outcome = await plants.create(request.plant, request.signal);
      return plantAnswer(request.plant, request.requestId);
    });
}

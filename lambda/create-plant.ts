import middy from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { ERRORS, Failure } from './errors.ts';
import { EARLY_RESPONSE_RESERVE_MS } from './limits.ts';
import type { NewPlant } from './plant.ts';
import { parseJson } from './request/json.ts';
import { newPlant } from './request/new-plant.ts';
import { bearerToken, bodyText, requirePostPlants, senderAddress } from './request/proxy-event.ts';
import {
  beginRequest,
  type CreatePlantRequest,
  failureFields,
  type LogResult,
  sampledTrace,
  type WriteLog,
} from './request/request.ts';
import { isPreflight, preflightResponse, withCors } from './response/cors.ts';
import { errorResponse, plantResponse } from './response/responses.ts';

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

/** The dependencies of the handler. */
export interface Dependencies {
  readonly accessTokens: AccessTokens;
  readonly plants: Plants;
  readonly writeLog: WriteLog;
  /** The origins of the browser apps that may read the responses; absent: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The function's version, for the log. */
  readonly version?: string | undefined;
  /** Reads the tracing header of the current request, for the log. */
  readonly traceHeader?: () => string | undefined;
}

/** The function as the Lambda runtime calls it. The event is untrusted. */
export type Handler = (event: unknown, context: Partial<Context>) => Promise<APIGatewayProxyResult>;

/**
 * Builds the handler of `POST /plants`: the steps of a request, top to bottom. A step that fails throws a Failure. The
 * client always gets 200 with a Plant or 400 with an Error (a preflight gets 204), and one line is logged. The steps
 * are in the base handler and not in `before` hooks, because middy's early response covers only the base handler.
 */
export function createPlantHandler(dependencies: Dependencies): Handler {
  const { accessTokens, plants, allowedOrigins } = dependencies;
  const log = requestLog(dependencies);
  const run = middy<CreatePlantRequest, APIGatewayProxyResult>({
    timeoutEarlyInMillis: EARLY_RESPONSE_RESERVE_MS,
    timeoutEarlyResponse: () => {
      throw new Failure('NO_RESPONSE', { fault: 'early response' });
    },
  })
    .handler(async (request) => {
      if (allowedOrigins && isPreflight(request.http, allowedOrigins)) {
        request.outcome = 'preflight';
        return preflightResponse(request.requestId);
      }
      requirePostPlants(request.http);
      request.tokenName = await accessTokens.find(bearerToken(request.http), request.signal);
      request.plant = newPlant(parseJson(bodyText(request.http)));
      request.outcome = await plants.create(request.plant, request.signal);
      return plantResponse(request.plant, request.requestId);
    })
    // Only a request with an outcome gets here.
    .after(({ event }) => log(event, { outcome: event.outcome as NonNullable<typeof event.outcome> }))
    .onError((request) => {
      const failure = asFailure(request.error);
      request.response = errorResponse(failure.published, request.event.requestId, failure.message);
      log(request.event, failureFields(failure));
    });
  return async (event, context) => {
    const request = beginRequest(event, context);
    const response = await run(request, context as Context);
    return allowedOrigins ? withCors(response, request.http, allowedOrigins) : response;
  };
}

/** Makes the function that logs one line for each request. It never throws: a log line is worth less than a response. */
function requestLog({ writeLog, version, traceHeader }: Dependencies) {
  let coldStart = true;
  return (request: CreatePlantRequest, result: LogResult): void => {
    const { http, end, tokenName, plant, requestId, extendedRequestId } = request;
    const address = result.error === ERRORS.INVALID_TOKEN.error ? senderAddress(http) : undefined;
    const trace = sampledTrace(traceHeader?.());
    const line = {
      ...result,
      duration: end(),
      ...(tokenName === undefined ? {} : { token: tokenName }),
      ...(plant === undefined ? {} : { id: String(plant.id) }),
      request: requestId,
      ...(extendedRequestId === undefined ? {} : { extendedRequestId }),
      ...(version === undefined ? {} : { version }),
      ...(address === undefined ? {} : { address }),
      ...(trace === undefined ? {} : { trace }),
      ...(coldStart ? { coldStart } : {}),
    };
    coldStart = false;
    try {
      writeLog(line);
    } catch {
      // There is no other place to report this, and the client's response must not depend on the log.
    }
  };
}

/** Anything that is not a Failure is a bug. */
function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const name = error instanceof Error ? error.name : typeof error;
  return new Failure('SERVICE_FAULT', { fault: name, cause: error });
}

import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { errorAnswer } from './answers.ts';
import { PlantStoreError } from './errors.ts';
import { beginRequest, type CreatePlantRequest } from './request.ts';
import { failureFields, type LogResult, type WriteLog } from './request-log.ts';

/**
 * The outermost middleware: starts a request's clock, turns whatever went wrong on its way into one answer, and logs
 * one line. After it, nothing that a client sends or the store does reaches the Lambda runtime as an error.
 * @param options.version the function's version, for the log
 */
export function alwaysAnswer(options: {
  readonly writeLog: WriteLog;
  readonly version?: string | undefined;
}): MiddlewareObj<CreatePlantRequest, APIGatewayProxyResult, Error, Context> {
  let coldStart = true;

  const log = ({ end, tokenName, plant, requestId }: CreatePlantRequest, result: LogResult) => {
    options.writeLog({
      ...result,
      duration: end(),
      ...(tokenName === undefined ? {} : { token: tokenName }),
      ...(plant === undefined ? {} : { id: String(plant.id) }),
      request: requestId,
      ...(options.version === undefined ? {} : { version: options.version }),
      ...(coldStart ? { coldStart } : {}),
    });
    coldStart = false;
  };

  return {
    before: (request) => {
      request.event = beginRequest(request.event, request.context);
    },
    // Only a request whose plant was created or repeated comes by here.
    after: ({ event }) => log(event, { outcome: event.outcome as 'created' | 'repeated' }),
    onError: (request: Request<CreatePlantRequest, APIGatewayProxyResult, Error, Context>) => {
      const failure = asPlantStoreError(request.error);
      request.response = errorAnswer(failure.published, request.event.requestId, failure.message);
      log(request.event, failureFields(failure));
    },
  };
}

/** Anything that was not thrown on purpose is a bug of ours. */
function asPlantStoreError(error: unknown): PlantStoreError {
  if (error instanceof PlantStoreError) return error;
  const name = error instanceof Error ? error.name : typeof error;
  return new PlantStoreError('SERVICE_FAULT', { fault: name, cause: error });
}

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Handler } from '../lambda/create-plant.ts';
import { LAMBDA_TIMEOUT_MS } from '../lambda/limits.ts';

/**
 * Runs the function as Lambda does, with a remaining time and a time-out.
 * @throws the error that the function throws, or an Error if it times out
 */
export async function invoke(
  handler: Handler,
  event: APIGatewayProxyEvent,
  requestId: string,
): Promise<APIGatewayProxyResult> {
  const deadline = performance.now() + LAMBDA_TIMEOUT_MS;
  const context = {
    awsRequestId: requestId,
    getRemainingTimeInMillis: () => deadline - performance.now(),
  };
  let timer: NodeJS.Timeout | undefined;
  const timeOut = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, LAMBDA_TIMEOUT_MS, new Error('The function timed out.'));
  });
  try {
    return await Promise.race([handler(event, context), timeOut]);
  } finally {
    clearTimeout(timer);
  }
}

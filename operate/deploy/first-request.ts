import { errorOf } from '../../contract/judge-response.ts';
import { sendHttp } from '../../contract/send-http.ts';
import { ERRORS } from '../../lambda/published-errors.ts';

/** How the function refuses a request without a token, and how the gateway responds if the function does not. */
export const REFUSED = ERRORS.NO_TOKEN.error;
export const NO_RESPONSE = ERRORS.NO_RESPONSE.error;

/**
 * Sends one request, without a token. The function {@link REFUSED refuses} it at once, without a call of a table. So {@link NO_RESPONSE} says
 * that it does not start, or that Lambda has no concurrency left.
 * @returns the number of the error, or what else came
 */
export async function firstRequest(baseUrl: string): Promise<number | string> {
  try {
    const response = await sendHttp(baseUrl, {});
    return errorOf(response) ?? `a response with status ${response.status}`;
  } catch (error) {
    return `no response: ${(error as Error).message}`;
  }
}

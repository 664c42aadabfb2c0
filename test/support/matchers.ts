/** Matchers of our own, loaded before each test file. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { judgeResponse } from '../../contract/judge-response.ts';
import type { HttpResponse } from '../../contract/send-http.ts';

declare module 'vitest' {
  interface Matchers {
    /** Expects a response, over HTTP or of the function, to be this published error, and to break no rule of the contract. */
    toBeRefused(error: number): void;
  }
}

expect.extend({
  toBeRefused(response: HttpResponse | APIGatewayProxyResult, error: number) {
    const { status, statusCode, headers, body } = response as HttpResponse & APIGatewayProxyResult;
    const judged = { status: status ?? statusCode, headers, body };
    const violations = judgeResponse(judged, { status: 400, error }).map(({ sentence }) => sentence);
    return {
      pass: violations.length === 0,
      message: () => violations.join('\n') || `the response is the error ${error}: ${body}`,
    };
  },
});

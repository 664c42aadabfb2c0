/** Matchers of our own, loaded before each test file. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { type HttpResponse, judgeResponse } from '../../contract/judge-response.ts';

declare module 'vitest' {
  interface Matchers {
    /** Expects a response, over HTTP or of the function, to be this published error, and to break no rule of the contract. */
    toBeRefused(error: number): void;
  }
}

expect.extend({
  toBeRefused(response: HttpResponse | APIGatewayProxyResult, error: number) {
    const { status, statusCode, headers, body } = response as HttpResponse & APIGatewayProxyResult;
    const violations = judgeResponse({ status: status ?? statusCode, headers, body }, { status: 400, error });
    return {
      pass: violations.length === 0,
      message: () => violations.join('\n') || `the response is the error ${error}: ${body}`,
    };
  },
});

import { HttpResponse } from '@smithy/core/protocols';
import type { HttpRequest } from '@smithy/types';
import type { SimulatedClock } from './clock.ts';

/** How long a call takes, refused or not, in milliseconds. */
const CALL_MS = 5;

/** For how long a store throttles, in milliseconds, and which part of the calls. */
export interface Throttle {
  readonly ms: number;
  readonly share: number;
}

const response = (statusCode: number, body: object) => ({
  response: new HttpResponse({
    statusCode,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from(JSON.stringify(body)),
  }),
});
const TOKEN = { Item: { name: { S: 'shop' }, expires: { N: '32503680000' } } };
const THROTTLED = {
  __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
  message: 'Rate exceeded',
};

/** The store of one process, in place of the SDK's HTTP handler. It throttles from the time 0 on. */
export class Store {
  calls = 0;
  /** A process that Lambda has stopped calls no more. */
  isStopped = false;
  readonly #clock: SimulatedClock;
  readonly #throttle: Throttle;

  constructor(clock: SimulatedClock, throttle: Throttle) {
    this.#clock = clock;
    this.#throttle = throttle;
  }

  async handle({ headers }: HttpRequest) {
    if (this.isStopped) return new Promise<never>(() => undefined);
    this.calls += 1;
    const { now } = this.#clock;
    const isThrottled = now >= 0 && now < this.#throttle.ms && Math.random() < this.#throttle.share;
    await this.#clock.pause(CALL_MS);
    if (isThrottled) return response(400, THROTTLED);
    return response(200, String(headers['x-amz-target']).endsWith('.GetItem') ? TOKEN : {});
  }
}

import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { contractViolations, type HttpResponse } from '../../contract/judge-response.ts';
import type { RequestLogLine } from '../../lambda/request/log.ts';
import { Clock } from '../support/clock.ts';
import { startBundle } from '../support/function-under-test.ts';
import { type Script, ScriptedStore } from '../support/scripted-store.ts';
import type { Behavior, Operation } from '../support/store-behaviors.ts';
import type { StoredItem } from '../support/stored-item.ts';
import { plantEvent, type TestService } from '../support/test-service.ts';
import type { Fault, Kind } from './fault.ts';

/** The expected error number for each kind of fault in each call, written by hand. */
const NUMBERS: Record<Exclude<Kind, 'harmless'>, Record<Operation, number>> = {
  unreachable: { GetItem: 50301, PutItem: 50301 },
  throttled: { GetItem: 42901, PutItem: 42901 },
  ours: { GetItem: 50001, PutItem: 50001 },
  unknown: { GetItem: 50301, PutItem: 50401 },
};

/** How many attempts get the fault, for each column of the matrix; the function makes three. */
export const ATTEMPTS = { 'first attempt': 1, 'two attempts': 2, 'all attempts': 3 } as const;

/** In milliseconds of the function's clock: the maximum time under any fault. */
const TIME_LIMIT_MS = 6_000;

/** One cell of the matrix. */
export interface Cell {
  readonly fault: Fault;
  readonly operation: Operation;
  readonly attempts: keyof typeof ATTEMPTS;
}

/** The name of a cell's test. */
export function nameOf(cell: Cell): string {
  const call = cell.operation === 'GetItem' ? 'token lookup' : 'put';
  return `${cell.fault.name}, ${call}, ${cell.attempts}: ${expectedOf(cell)}`;
}

/** The error number that a cell must end with, or 200. */
function expectedOf({ fault: { kind }, operation, attempts }: Cell): number {
  if (kind === 'harmless') return 200;
  return attempts === 'all attempts' ? NUMBERS[kind][operation] : 200;
}

let lastId = 7_000_000;

/** The function with its own clock and scripted store, and one plant to create. */
export interface Fixture {
  readonly proxy: ScriptedStore;
  readonly plant: StoredItem;
  /**
   * Sends the plant, or another body, and checks what must be true of every response: the contract, the time, and a matching
   * log line.
   * @param token the access token, if it is not the valid one
   * @returns 200, or the error's number
   */
  send(body?: string, token?: string): Promise<number>;
  item(): Promise<StoredItem | undefined>;
  /** Connects as INIT does. @returns how long it took, in milliseconds of the function's clock */
  connect(): Promise<number>;
  /** What the function has logged. */
  readonly lines: readonly RequestLogLine[];
}

/** Sets up a function with its own clock and scripted store, over a shared real store. */
export async function startFixture(service: TestService): Promise<Fixture> {
  const clock = new Clock();
  const proxy = await ScriptedStore.start({ store: service.store.endpoint, clock });
  const { connect, handler, lines } = startBundle(proxy.endpoint, clock);
  const id = String(++lastId);
  return {
    proxy,
    plant: { id, ...WHOLE },
    lines,
    item: () => service.item(id),
    connect: async () => {
      const startedAt = clock.now;
      return connect().then(() => clock.now - startedAt);
    },
    send: async (body = bodyOf(id, WHOLE), token = service.token) => {
      const startedAt = clock.now;
      const response = await handler(plantEvent(token, body));
      expect(clock.now - startedAt).toBeLessThan(TIME_LIMIT_MS);
      return numberOf(response, lines.at(-1));
    },
  };
}

/** The number of a response, which conforms to the contract and to its line of the log. */
export function numberOf(response: APIGatewayProxyResult, line: RequestLogLine | undefined): number {
  expect(contractViolations({ ...response, status: response.statusCode } as unknown as HttpResponse)).toEqual(
    [],
  );
  const number: number = response.statusCode === 200 ? 200 : JSON.parse(response.body).error;
  expect(line?.error ?? 200).toBe(number);
  const text = `${response.body}${JSON.stringify(line)}`;
  expect(text).not.toMatch(/arn:aws|authorized|security token|123456789012/i);
  return number;
}

/** Runs one cell: a request with the fault, then the same request without it. */
export async function runCell(service: TestService, cell: Cell): Promise<void> {
  const { proxy, plant, send, item } = await startFixture(service);
  const behaviors: Behavior[] = Array(ATTEMPTS[cell.attempts]).fill(cell.fault.behavior);
  proxy.play({ [cell.operation]: behaviors } satisfies Script);
  const number = await send();
  expect(number).toBe(expectedOf(cell));
  expect(proxy.attempts[cell.operation]).toBeLessThanOrEqual(3);
  expect(proxy.overdue).toBe(0);
  if (number !== 200 && cell.operation === 'GetItem') expect(proxy.attempts.PutItem).toBe(0);
  if (number === 200) expect(await item()).toEqual(plant);
  // Every number except 50401 means that nothing was stored.
  else if (number !== 50401) expect(await item()).toBeUndefined();

  proxy.play({});
  expect(await send()).toBe(200);
  await proxy.settled();
  expect(await item()).toEqual(plant);
  await proxy.close();
}

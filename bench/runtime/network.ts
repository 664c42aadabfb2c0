import { createRequire } from 'node:module';

/** Where a subject believes DynamoDB to be: where it is in AWS, so no subject needs an endpoint setting. */
export const STORE_HOST = 'dynamodb.eu-west-1.amazonaws.com';

/**
 * Sends connections to {@link STORE_HOST} to the stub on this machine instead. Only the address changes: the name that
 * TLS checks, the port that a subject asks for and every header stay as in AWS.
 */
export function connectToStub(port: number): void {
  const { Socket } = createRequire(import.meta.url)('node:net') as typeof import('node:net');
  const connect = Socket.prototype.connect as (...parameters: unknown[]) => unknown;
  Socket.prototype.connect = function (this: unknown, options: { host?: string }, ...rest: unknown[]) {
    const toStub = options.host === STORE_HOST ? { ...options, host: '127.0.0.1', port } : options;
    return connect.call(this, toStub, ...rest);
  } as typeof Socket.prototype.connect;
}

/** Lets timers run later by a factor: under valgrind everything is slower, and no time-out should notice. */
export function stretchTimers(factor: number): void {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = ((callback: () => void, ms?: number, ...rest: []) =>
    setTimeout(callback, (ms ?? 0) * factor, ...rest)) as typeof setTimeout;
}

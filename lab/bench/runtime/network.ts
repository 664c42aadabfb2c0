import { createRequire } from 'node:module';

/** The host that subjects call: DynamoDB's own, so that no subject needs an endpoint setting. */
export const STORE_HOST = 'dynamodb.eu-west-1.amazonaws.com';

/**
 * Redirects connections to {@link STORE_HOST} to the stub on this machine. Only the address and port change; the host
 * name for TLS and all headers are the same as in AWS.
 */
export function connectToStub(port: number): void {
  const { Socket } = createRequire(import.meta.url)('node:net') as typeof import('node:net');
  const connect = Socket.prototype.connect as (...parameters: unknown[]) => unknown;
  Socket.prototype.connect = function (this: unknown, options: { host?: string }, ...rest: unknown[]) {
    const toStub = options.host === STORE_HOST ? { ...options, host: '127.0.0.1', port } : options;
    return connect.call(this, toStub, ...rest);
  } as typeof Socket.prototype.connect;
}

/** Lengthens timers by a factor, so that timeouts do not end a process under valgrind. */
export function stretchTimers(factor: number): void {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = ((callback: () => void, ms?: number, ...rest: []) =>
    setTimeout(callback, (ms ?? 0) * factor, ...rest)) as typeof setTimeout;
}

import { createRequire } from 'node:module';

/** The host that subjects call: DynamoDB's own, so that no subject needs an endpoint setting. */
export const STORE_HOST = 'dynamodb.eu-west-1.amazonaws.com';

/** A socket of TLS, whose own options Node does not document. */
interface TlsSocket {
  readonly _tlsOptions: { readonly secureContext: { readonly context: { addCACert(pem: string): void } } };
}

/**
 * Redirects connections to {@link STORE_HOST} to the stub on this machine. Only the address and port change; the host
 * name for TLS and all headers are the same as in AWS. The stub's certificate is trusted in addition to Node's roots.
 * With NODE_EXTRA_CA_CERTS instead, Node would read its roots at its start; in Lambda it does so at the first connection.
 * @param certificate the stub's certificate, as PEM
 */
export function connectToStub(port: number, certificate: string): void {
  const { Socket } = createRequire(import.meta.url)('node:net') as typeof import('node:net');
  const connect = Socket.prototype.connect as (...parameters: unknown[]) => unknown;
  Socket.prototype.connect = function (this: TlsSocket, options: { host?: string }, ...rest: unknown[]) {
    if (options.host !== STORE_HOST) return connect.call(this, options, ...rest);
    this._tlsOptions.secureContext.context.addCACert(certificate);
    return connect.call(this, { ...options, host: '127.0.0.1', port }, ...rest);
  } as typeof Socket.prototype.connect;
}

/** Lengthens timers by a factor, so that timeouts do not end a process under valgrind. */
export function stretchTimers(factor: number): void {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = ((callback: () => void, ms?: number, ...rest: []) =>
    setTimeout(callback, (ms ?? 0) * factor, ...rest)) as typeof setTimeout;
  // middy takes it from here.
  const timers = createRequire(import.meta.url)('node:timers') as { setTimeout: typeof setTimeout };
  timers.setTimeout = globalThis.setTimeout;
}

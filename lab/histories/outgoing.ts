import { EventEmitter } from 'node:events';
import type { StoreResponse } from '../../test/support/acts.ts';

const utf8 = new TextDecoder();

/** A request of `node:http`, as far as the function uses it. It ends once: by a response, an error or `destroy`. */
export class Outgoing extends EventEmitter {
  readonly reusedSocket = false;
  #isOver = false;
  readonly #socket = new EventEmitter();

  constructor(signal: AbortSignal | undefined) {
    super();
    this.on('newListener', (name) => {
      if (name === 'socket') queueMicrotask(() => this.emit('socket', this.#socket));
    });
    if (signal?.aborted) queueMicrotask(() => this.destroy(new Error('aborted')));
    signal?.addEventListener('abort', () => this.destroy(new Error('aborted')));
  }

  end(body: string | Uint8Array): void {
    this.emit('sent', typeof body === 'string' ? body : utf8.decode(body));
  }

  connected(): void {
    if (!this.#isOver) this.#socket.emit('connect');
  }

  respond({ status, body }: StoreResponse): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    const incoming = Object.assign(new EventEmitter(), { statusCode: status, headers });
    this.emit('response', incoming);
    incoming.emit('data', Buffer.from(String(body)));
    incoming.emit('end');
    this.emit('close');
  }

  fail(code: string): void {
    this.destroy(Object.assign(new Error(code), { code }));
  }

  destroy(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.emit('error', error);
    this.emit('close');
  }
}

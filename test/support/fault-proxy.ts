import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import type http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { type Act, type Exchange, forwardTo, type Operation, type StoreAnswer } from './store-exchange.ts';
import { throwawayCertificate } from './throwaway-certificate.ts';

/** Lets an attempt through as if nothing stood between. */
export const pass: Act = async ({ forward, answer }) => answer(await forward());

/** Who wants to know that a connection to a port was refused, which no server ever sees. */
const refusals = new Map<number | undefined, () => void>();
diagnostics.subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  socket.once('error', ({ code, port }: NodeJS.ErrnoException & { port?: number }) => {
    if (code === 'ECONNREFUSED') refusals.get(port)?.();
  });
});

const certificate = throwawayCertificate();
// What the function trusts is the process's business, so that it runs here as it does in AWS, over TLS.
tls.setDefaultCACertificates([certificate.cert]);

/** What each attempt of each call meets, in order; attempts beyond the list pass. */
export type Script = Partial<Record<Operation, readonly Act[]>>;

/**
 * Stands between the function and its store, speaks TLS as DynamoDB does, and does to each attempt of each call what
 * its script says. One for each function: it tells attempts apart by counting them.
 */
export class FaultProxy {
  readonly #store: URL;
  readonly #front = net.createServer((socket) => this.#connected(socket));
  readonly #back: https.Server;
  readonly #sockets = new Map<number | undefined, Socket>();
  #port = 0;
  #script: Script = {};
  #pending: Promise<unknown>[] = [];

  /** How many attempts there have been, those that found no connection included. */
  readonly attempts: Record<Operation, number> = { GetItem: 0, PutItem: 0 };

  private constructor(storeEndpoint: string) {
    this.#store = new URL(storeEndpoint);
    this.#back = https.createServer(certificate, (request, response) => this.#serve(request, response));
    // A function that hangs up is part of the play.
    this.#back.on('tlsClientError', () => undefined);
  }

  /** Starts a proxy that lets everything pass. */
  static async start(storeEndpoint: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(storeEndpoint);
    await proxy.#listen();
    refusals.set(proxy.#port, proxy.#refused);
    return proxy;
  }

  get endpoint(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** Says what happens from the next attempt on; an empty script lifts every fault. */
  async play(script: Script): Promise<void> {
    this.#script = script;
    this.attempts.GetItem = 0;
    this.attempts.PutItem = 0;
    await this.#arrange();
  }

  /** Waits until every attempt that was let through late has reached the store. */
  async settled(): Promise<void> {
    while (this.#pending.length > 0) await Promise.allSettled(this.#pending.splice(0));
  }

  async close(): Promise<void> {
    refusals.delete(this.#port);
    await this.settled();
    for (const socket of this.#sockets.values()) socket.destroy();
    this.#front.close();
  }

  /** The call that comes next: there is no put before the look-up has been let through. */
  get #next(): Operation {
    return this.#passedLookUp ? 'PutItem' : 'GetItem';
  }
  #passedLookUp = false;

  #scripted(operation: Operation): Act {
    return this.#script[operation]?.[this.attempts[operation]] ?? pass;
  }

  /** Refusing means not to listen, so that the operating system does it. */
  async #arrange(): Promise<void> {
    const refuses = this.#scripted(this.#next) === 'refuse';
    if (refuses && this.#front.listening) this.#front.close();
    if (!refuses && !this.#front.listening) await this.#listen();
  }

  async #listen(): Promise<void> {
    this.#front.listen(this.#port, '127.0.0.1');
    await once(this.#front, 'listening');
    this.#port = (this.#front.address() as AddressInfo).port;
  }

  readonly #refused = () => {
    this.attempts[this.#next] += 1;
    void this.#arrange();
  };

  #connected(socket: Socket): void {
    const { remotePort } = socket;
    this.#sockets.set(remotePort, socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(remotePort));
    if (this.#scripted(this.#next) !== 'hang on connect') return void this.#back.emit('connection', socket);
    // TCP says yes and TLS never says a word: to the function, there is no connection yet.
    this.attempts[this.#next] += 1;
    socket.resume();
  }

  #serve(request: http.IncomingMessage, response: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    response.on('error', () => undefined);
    request.on('error', () => undefined);
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => this.#attempt(request, Buffer.concat(chunks), response));
  }

  #attempt(request: http.IncomingMessage, body: Buffer, response: http.ServerResponse): void {
    const operation = String(request.headers['x-amz-target']).split('.')[1] as Operation;
    const act = this.#scripted(operation);
    this.attempts[operation] += 1;
    if (typeof act === 'string') throw new Error(`"${act}" came too late: there was a connection already.`);
    const forward = () => forwardTo(this.#store, request, body);
    const raw = this.#sockets.get(request.socket.remotePort);
    const exchange: Exchange = {
      forward,
      response,
      reset: () => raw?.resetAndDestroy(),
      answer: (answer) => this.#answer(operation, response, answer),
    };
    this.#pending.push(Promise.resolve(act(exchange)));
  }

  #answer(operation: Operation, response: http.ServerResponse, { status, headers, body }: StoreAnswer): void {
    if (operation === 'GetItem' && status === 200) this.#passedLookUp = true;
    // A fault in connecting needs a call that connects; the others meet a connection that is kept, as in AWS.
    const acts = Object.values(this.#script).flat();
    const keep = acts.every((act) => typeof act !== 'string');
    void this.#arrange();
    response.writeHead(status, { ...headers, ...(keep ? {} : { connection: 'close' }) });
    response.end(body);
  }
}

import http from 'node:http';
import https from 'node:https';
import net, { type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sendHttp } from '../../contract/send-http.ts';
import { listen } from '../../local/listen.ts';
import { trustedCertificate } from './certificate.ts';
import {
  type Behavior,
  type Exchange,
  isOnConnect,
  KNOWN_TOKEN,
  LIMITS,
  OPERATIONS,
  type Operation,
  ok,
  pass,
  perform,
  type RealResponse,
  type StoreResponse,
} from './store-behaviors.ts';

/** What happens to each attempt of each call, in order. */
export type Script = Partial<Record<Operation, readonly Behavior[]>>;

/** The media type of DynamoDB's responses. */
const DYNAMODB = 'application/x-amz-json-1.0';

const noAttempts = () =>
  Object.fromEntries(OPERATIONS.map((operation) => [operation, 0])) as Record<Operation, number>;

interface Options {
  readonly store?: string;
  readonly script?: Script;
  readonly clock?: { advance(ms: number): Promise<unknown> };
}

/**
 * Replaces DynamoDB, or is a proxy between the function and a real store. A script says what happens to each attempt of
 * each call. Attempts after the end of a script's list pass to the real store; without a real store they get the last behavior
 * of the list, or success. Each function needs its own, because attempts are identified by counting them.
 */
export class ScriptedStore {
  readonly #store: URL | undefined;
  readonly #front = net.createServer((socket) => this.#connected(socket));
  readonly #back: http.Server;
  readonly #sockets = new Map<number | undefined, Socket>();
  readonly #clock: Options['clock'];
  #script: Script;
  #address = '';
  #pending: Promise<unknown>[] = [];

  /** The number of attempts, including those without a connection. */
  readonly attempts = noAttempts();

  private constructor({ store, script = {}, clock }: Options) {
    this.#store = store === undefined ? undefined : new URL(store);
    this.#script = script;
    this.#clock = clock;
    this.#back = store === undefined ? http.createServer() : https.createServer(trustedCertificate());
    this.#back.on('request', (request, response) => {
      response.on('error', () => undefined);
      request.toArray().then(
        (chunks) => this.#attempt(request, Buffer.concat(chunks), response),
        () => response.destroy(),
      );
    });
    // The function is expected to close connections.
    this.#back.on('tlsClientError', () => undefined);
    this.#back.on('clientError', () => undefined);
  }

  /**
   * Starts a store on a free port of the loopback interface.
   * @param options.store the address of a real store; then it uses TLS, as DynamoDB does
   * @param options.clock the function's clock; without it, real time
   */
  static async start(options: Options = {}): Promise<ScriptedStore> {
    const store = new ScriptedStore(options);
    store.#address = await listen(store.#front);
    return store;
  }

  get endpoint(): string {
    return this.#store ? this.#address.replace('http:', 'https:') : this.#address;
  }

  /** Replaces the script from the next attempt on; an empty one removes every fault. */
  play(script: Script): void {
    this.#script = script;
    Object.assign(this.attempts, noAttempts());
  }

  /** Waits until every delayed attempt has reached the store. */
  async settled(): Promise<void> {
    while (this.#pending.length > 0) await Promise.allSettled(this.#pending.splice(0));
  }

  /** Closes every connection, as a store does with idle ones. */
  closeConnections(): void {
    for (const socket of this.#sockets.values()) socket.destroy();
  }

  async close(): Promise<void> {
    this.closeConnections();
    this.#front.close();
    await this.settled();
  }

  /** The next call: there is no put before a lookup has succeeded. */
  #next: Operation = 'GetItem';

  #scripted(operation: Operation): Behavior {
    const behaviors = this.#script[operation] ?? [];
    const beyond = behaviors.at(-1) ?? (operation === 'GetItem' ? KNOWN_TOKEN : ok({}));
    return behaviors[this.attempts[operation]] ?? (this.#store ? pass : beyond);
  }

  #connected(socket: Socket): void {
    const { remotePort } = socket;
    this.#sockets.set(remotePort, socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(remotePort));
    const behavior = this.#scripted(this.#next);
    if (!isOnConnect(behavior)) return void this.#back.emit('connection', socket);
    // TCP connects but TLS does not, so the function has no connection yet.
    this.attempts[this.#next] += 1;
    if (behavior === 'reset on connect') return void socket.resetAndDestroy();
    socket.resume();
    this.#pending.push(this.#wait(LIMITS.connect));
  }

  #attempt(request: http.IncomingMessage, body: Buffer, response: http.ServerResponse): void {
    const operation = String(request.headers['x-amz-target']).split('.')[1] as Operation;
    const behavior = this.#scripted(operation);
    this.attempts[operation] += 1;
    if (isOnConnect(behavior))
      throw new Error(`"${behavior}" came too late: there was a connection already.`);
    const raw = this.#sockets.get(request.socket.remotePort);
    const exchange: Exchange = {
      forward: () => this.#forward(request, body),
      request,
      response,
      reset: () => raw?.resetAndDestroy(),
      respond: (reply) => this.#respond(operation, response, reply),
      wait: (ms) => this.#wait(ms),
      closed: new Promise((resolve) => response.on('close', resolve)),
    };
    this.#pending.push(perform(behavior, exchange).catch(() => response.destroy()));
  }

  async #wait(ms: number): Promise<void> {
    await (this.#clock ? this.#clock.advance(ms) : pause(ms, undefined, { ref: false }));
  }

  /** Forwards the function's request to the real store, and reads its response. */
  async #forward({ method, url, headers }: http.IncomingMessage, body: Buffer): Promise<RealResponse> {
    if (!this.#store) throw new Error('There is no real store to forward this to.');
    const without = (all: object, ...names: string[]) =>
      Object.entries(all).filter(([name]) => !names.includes(name));
    // `sendHttp` adds its own.
    const sent = without(headers, 'host', 'content-length', 'connection');
    const request = { method, path: url, headers: sent, body };
    const { status, headers: received, bytes } = await sendHttp(this.#store.href, request);
    const kept = without(received, 'connection', 'transfer-encoding');
    return { status, headers: Object.fromEntries(kept), body: bytes };
  }

  #respond(
    operation: Operation,
    response: http.ServerResponse,
    { status, headers, body }: StoreResponse,
  ): void {
    if (operation === 'GetItem' && status === 200) this.#next = 'PutItem';
    // A connection fault needs a call that opens a connection; otherwise connections are kept alive, as in AWS.
    if (Object.values(this.#script).flat().some(isOnConnect)) response.shouldKeepAlive = false;
    response.writeHead(status, { 'content-type': DYNAMODB, ...headers }).end(body);
  }
}

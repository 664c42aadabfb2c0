import http from 'node:http';

/** The two calls that the function makes: the token's look-up and the put of the plant. */
export type Operation = 'GetItem' | 'PutItem';

/** An answer of the store, or of whatever pretends to be it. */
export interface StoreAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One attempt of one call, in the hands of a fault. */
export interface Exchange {
  /** Lets the store do what was asked. */
  forward(): Promise<StoreAnswer>;
  answer(answer: StoreAnswer): void;
  /** The answer to the function, for a fault that sends it in pieces. */
  readonly response: http.ServerResponse;
  /** Ends the connection with a TCP reset. */
  reset(): void;
}

/** What happens to one attempt; the two words happen before there is a connection to do anything on. */
export type Act = ((exchange: Exchange) => Promise<void> | void) | 'refuse' | 'hang on connect';

/** Asks the store what the function asked it, and gathers its answer. */
export function forwardTo(
  store: URL,
  { method, headers }: http.IncomingMessage,
  body: Buffer,
): Promise<StoreAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(
      store,
      { method, headers: { ...headers, connection: 'close' } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('end', () => {
          const { connection: _, 'transfer-encoding': __, ...kept } = incoming.headers;
          const status = incoming.statusCode ?? 0;
          resolve({ status, headers: kept as Record<string, string>, body: Buffer.concat(chunks) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

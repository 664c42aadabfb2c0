import type { APIGatewayProxyResult } from 'aws-lambda';
import { tokenDigest } from '../../lambda/store/access-token-table.ts';
import { formatToken } from '../../lambda/store/token-format.ts';
import { startSource } from '../support/function-under-test.ts';
import { fingerprint, storeInMemory } from '../support/store-in-memory.ts';
import type { TestService } from '../support/test-service.ts';

/** A function to be fuzzed. */
export interface Subject {
  readonly token: string;
  handler(event: unknown): Promise<APIGatewayProxyResult>;
  /** A fingerprint of what the store has under an id. */
  stored(id: string): Promise<string | undefined>;
}

/** The function over a stub of the SDK's request handler: fast enough for a million cases. */
export function subjectInMemory(): Subject {
  const token = formatToken(new Uint8Array(32).fill(7));
  const { client, items } = storeInMemory(tokenDigest(token));
  const { handler, lines } = startSource(client);
  return {
    token,
    handler: (event) => {
      // A million lines would fill the memory.
      lines.length = 0;
      return handler(event);
    },
    stored: async (id) => items.get(id),
  };
}

/** A function over a real store. */
export function subjectOver({
  token,
  handler,
  item,
}: Pick<TestService, 'token' | 'handler' | 'item'>): Subject {
  const stored = async (id: string) => {
    const { id: _, ...properties } = (await item(id)) ?? {};
    return 'name' in properties ? fingerprint(properties) : undefined;
  };
  return { token, handler, stored };
}

import type { APIGatewayProxyResult } from 'aws-lambda';
import { createPlantHandler } from '../../../lambda/create-plant.ts';
import type { RequestLogLine } from '../../../lambda/request/request.ts';
import { formatToken } from '../../../lambda/request/token-format.ts';
import { AccessTokenTable, tokenDigest } from '../../../lambda/store/access-token-table.ts';
import { PlantTable } from '../../../lambda/store/plant-table.ts';
import { LOCAL_TABLES } from '../../../local/tables.ts';
import { load } from '../../support/function-under-test.ts';
import { fingerprint, storeInMemory } from '../../support/store-in-memory.ts';
import type { TestService } from '../../support/test-service.ts';

/** A function to be fuzzed. */
export interface Subject {
  readonly token: string;
  readonly lines: RequestLogLine[];
  send(event: unknown): Promise<APIGatewayProxyResult>;
  /** A fingerprint of the name and tag that the store has under an id. */
  stored(id: string): Promise<string | undefined>;
}

/** The function over a stub of the SDK's request handler: fast enough for a million cases. */
export function subjectInMemory(): Subject {
  const token = formatToken(new Uint8Array(32).fill(7));
  const { client, items } = storeInMemory(tokenDigest(token));
  const lines: RequestLogLine[] = [];
  const handler = createPlantHandler({
    accessTokens: new AccessTokenTable(client, LOCAL_TABLES.accessTokens),
    plants: new PlantTable(client, LOCAL_TABLES.plants),
    writeLog: (line) => void lines.splice(0, lines.length, line),
  });
  return {
    token,
    lines,
    send: (event) => handler(event, {}),
    stored: async (id) => items.get(id),
  };
}

/** The function over a real store. */
export function subjectOver(service: TestService): Subject {
  return {
    token: service.token,
    lines: service.lines,
    send: (event) => service.handler(event),
    stored: async (id) => {
      const item = await service.item(id);
      return item && fingerprint(item.name, item.tag);
    },
  };
}

/** The deployed bundle over the same real store. */
export function subjectOfBundle(service: TestService): Subject {
  const { handler } = load(service.store.endpoint);
  const lines: RequestLogLine[] = [];
  const print = console.info;
  console.info = (line: unknown, ...rest: unknown[]) => {
    if (typeof line === 'object') lines.splice(0, lines.length, line as RequestLogLine);
    else print(line, ...rest);
  };
  return { ...subjectOver(service), lines, send: (event) => handler(event, {}) };
}

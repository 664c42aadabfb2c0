import { readFileSync } from 'node:fs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { ContractCase, PLACEHOLDERS } from '../../contract/cases.ts';
import { tokenDigest } from '../../lambda/access-tokens.ts';
import { formatToken } from '../../lambda/token-format.ts';
import { LOCAL_TABLES } from '../../local/tables.ts';
import { AccessTokenAdmin } from '../../tools/access-token-admin.ts';

/** An answer, however it came. Header names are in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** openapi.yaml, parsed. */
export const OPENAPI = parse(readFileSync(new URL('../../contract/openapi.yaml', import.meta.url), 'utf8'));

/** The schemas of openapi.yaml, compiled: what they call valid is what the contract says. */
export const SCHEMAS: Readonly<Record<'Plant' | 'NewPlant' | 'Error', ValidateFunction>> = compileSchemas();

function compileSchemas() {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat('int32', {
    type: 'number',
    validate: (n: number) => Number.isInteger(n) && Math.abs(n) < 2 ** 31,
  });
  ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });
  ajv.addSchema(OPENAPI, 'openapi.yaml');
  const schema = (name: string) => ajv.compile({ $ref: `openapi.yaml#/components/schemas/${name}` });
  return { Plant: schema('Plant'), NewPlant: schema('NewPlant'), Error: schema('Error') };
}

/**
 * What is wrong with an answer, whatever was asked: nothing, for every answer that the contract allows.
 * @returns a sentence for each thing that is wrong
 */
export function contractViolations({ status, headers, body }: Answer): string[] {
  const wrong: string[] = [];
  const must = (holds: boolean, sentence: string) => {
    if (!holds) wrong.push(sentence);
  };
  must(status === 200 || status === 400, `status ${status}`);
  must(headers['content-type'] === 'application/json', `content-type ${headers['content-type']}`);
  must(headers['cache-control'] === 'no-store', `cache-control ${headers['cache-control']}`);
  must(headers['x-content-type-options'] === 'nosniff', 'no nosniff');
  must(Boolean(headers['x-request-id']), 'no x-request-id');
  const json: unknown = JSON.parse(body);
  const validate = SCHEMAS[status === 200 ? 'Plant' : 'Error'];
  must(validate(json), `body ${body}: ${JSON.stringify(validate.errors)}`);
  if (status === 400) wrong.push(...errorViolations(json as { error: number; message: string }, headers));
  return wrong;
}

const RETRY_AFTER: Partial<Record<number, string>> = { 42901: '1', 50301: '2', 50401: '2' };

function errorViolations(
  { error, message }: { error: number; message: string },
  headers: Answer['headers'],
): string[] {
  const challenge = headers['www-authenticate'] ?? headers['x-amzn-remapped-www-authenticate'];
  const wrong: string[] = [];
  if (message.length >= 200 || !message.endsWith('.')) wrong.push(`message: ${message}`);
  if (headers['retry-after'] !== RETRY_AFTER[error]) wrong.push(`retry-after ${headers['retry-after']}`);
  if ((error === 40101 || error === 40102) !== Boolean(challenge?.startsWith('Bearer ')))
    wrong.push(`challenge ${challenge}`);
  return wrong;
}

/** A text to put in place of each placeholder of a case. */
export type Tokens = Record<(typeof PLACEHOLDERS)[number], string>;

/** Makes one token of each kind that a case may ask for, in the table that `admin` keeps. */
export async function tokenKinds(client: DynamoDBDocumentClient, token: string): Promise<Tokens> {
  const admin = new AccessTokenAdmin(client, LOCAL_TABLES.accessTokens);
  const twoDaysAgo = new AccessTokenAdmin(
    client,
    LOCAL_TABLES.accessTokens,
    () => Date.now() - 2 * 86_400_000,
  );
  const revoked = await admin.issue('revoked');
  await admin.revokeAll('revoked');
  return {
    token,
    expired: (await twoDaysAgo.issue('expired', 1)).token,
    revoked: revoked.token,
    unknown: formatToken(new Uint8Array(32).fill(7)),
    mistyped: token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'),
    digest: tokenDigest(token),
  };
}

/** A case's headers with its placeholders replaced. */
export function headersOf(contractCase: ContractCase, tokens: Tokens): [string, string][] {
  return contractCase.headers.map(([name, value]) => [
    name,
    value.replace(/\{(\w+)\}/g, (_, kind: keyof Tokens) => tokens[kind]),
  ]);
}

/**
 * Judges one case: its answer by the contract, by what the case expects, and by what is in the table afterwards.
 * @param item reads an item's attributes as the table has them
 */
export async function expectCase(
  { expected }: ContractCase,
  answer: Answer,
  item: (id: string) => Promise<unknown>,
): Promise<void> {
  expect(contractViolations(answer)).toEqual([]);
  if (expected.status === 200) {
    expect(answer.body).toBe(JSON.stringify(expected.plant));
    if (expected.stored)
      expect(await item(expected.stored)).toEqual({ id: expected.stored, ...expected.plant });
    return;
  }
  const { error, message } = JSON.parse(answer.body);
  expect(answer.status, answer.body).toBe(400);
  expect(error, message).toBe(expected.error);
  if (expected.message) expect(message).toContain(expected.message);
  if (expected.absent) expect(await item(expected.absent)).toBeUndefined();
}

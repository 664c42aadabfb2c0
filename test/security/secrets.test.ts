import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadCases } from '../../contract/cases.ts';
import { EXAMPLES, PROPERTIES } from '../../contract/examples.ts';
import { ERRORS } from '../../lambda/published-errors.ts';
import { eventOf, tokenKinds } from '../support/contract-tests.ts';
import { startTestService } from '../support/test-service.ts';

/** The texts of a plant in a body. A choice may be a word of the log, such as `created`. */
const NAMES = Object.keys(EXAMPLES).filter((name) => !PROPERTIES[name]?.enum);
const TEXTS = RegExp(`"(?:${NAMES.join('|') || '-'})":"([^"\\\\]+)"`, 'g');

/** A shorter text may be there by chance. */
const TELLING = 6;
/** A log line with a part of a body would have the beginning of it. */
const BEGINNING = 60;
/** What messages say whatever the request: such as `application/json`. */
const OWN = Object.values(ERRORS)
  .map(({ message }) => message)
  .join();

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

function encoded(body: Buffer | undefined, encoding: 'utf8' | 'base64'): string {
  return (body?.toString(encoding) ?? '').slice(0, BEGINNING);
}

// test/faults/fixture.ts looks at the responses and the log of each fault of the store.
describe('secrets and plant data appear neither in the log nor in messages', async () => {
  const service = await startTestService();
  const printed: string[] = [];
  const secrets = new Set<string>();
  const messages = new Set<string>();
  const echoes: string[] = [];
  const refusedTokens = new Set<string>();

  beforeAll(async () => {
    for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((...values) => void printed.push(JSON.stringify(values)));
    const tokens = await tokenKinds(service);
    for (const token of Object.values(tokens)) secrets.add(token);
    for (const each of loadCases()) {
      const { path, body } = each;
      const event = eventOf(each, tokens);
      const response = await service.handler(event);
      const { error, message } = JSON.parse(response.body);
      if (error === 40102) refusedTokens.add(JSON.stringify(response));
      const texts = [...String(body).matchAll(TEXTS)].map(([, text = '']) => text);
      const beginnings = [encoded(body, 'utf8'), encoded(body, 'base64')];
      for (const text of [String(body), ...texts, ...beginnings]) secrets.add(text);
      if (response.statusCode !== 400) continue;
      messages.add(message);
      const sent = [path, ...Object.values(event.multiValueHeaders).flat(), ...texts].filter(
        (text) => !OWN.includes(text),
      );
      echoes.push(...sent.filter((text) => text.length >= TELLING && message.includes(text)));
    }
  });
  afterAll(service.close);

  test('the log contains no token, digest, property but the id, or body', () => {
    const { lines } = service;
    // A line with a text or a body would be long, and slow to search below.
    expect(Math.max(...lines.map((line) => JSON.stringify(line).length))).toBeLessThan(700);
    const log = lines.flatMap(Object.values).join('\n');
    // A body that is only a number can look like an id, which the log may contain.
    const telling = [...secrets].filter(
      (secret) => secret.length >= TELLING && !/^[\s\d.eE+-]*$/.test(secret),
    );
    const forbidden = [...telling, ...telling.map(digestOf), digestOf(service.token).slice(0, 8)];
    // Truncated: a diff of megabytes would take minutes.
    const found = forbidden.filter((secret) => log.includes(secret));
    expect(found.slice(0, 10).map((leak) => leak.slice(0, 40))).toEqual([]);
  });

  test('the responses to malformed, unknown, revoked and expired tokens are the same to the byte', () => {
    const faults = service.lines.map(({ fault }) => fault);
    for (const fault of ['malformed token', 'unknown token', 'expired token'])
      expect(faults).toContain(fault);
    expect(refusedTokens.size).toBe(1);
  });

  test('nothing else is printed', () => {
    expect(printed).toEqual([]);
  });

  test('no message contains text from the request', () => {
    // Messages with a position in the body differ in that number only.
    const kinds = new Set([...messages].map((message) => message.replace(/ at character \d+/, '')));
    expect(kinds.size).toBeGreaterThan(12);
    // A message with text of the request would add one for each event, of which there is at least one for each case.
    expect(kinds.size).toBeLessThan(loadCases().length / 4);
    expect(echoes).toEqual([]);
  });
});

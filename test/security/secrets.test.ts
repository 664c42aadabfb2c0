import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadCases } from '../../contract/cases.ts';
import { bodyOf, EXAMPLES, WHOLE } from '../../contract/examples.ts';
import { headersOf, type Tokens } from '../../contract/placeholders.ts';
import { FAULTS } from '../faults/faults.ts';
import { tokenKinds } from '../support/contract-tests.ts';
import { ScriptedStore } from '../support/scripted-store.ts';
import { plantEvent, startTestService, type TestService } from '../support/test-service.ts';

/** Words that only the store, the SDK or the platform use. */
const AWS_WORDS =
  /aws|amazon|dynamo|\barn\b|exception|throughput|authori[sz]ed|signature|credential|requested resource|econn/i;

type Event = ReturnType<typeof plantEvent>;

/** The texts of a plant in a body. */
const TEXTS = RegExp(`"(?:${Object.keys(EXAMPLES).join('|')})":"([^"\\\\]+)"`, 'g');

/** The parts of an event that must not appear in the output: its token, its body, the plant's texts. */
function secretsOf({ headers, body }: Event): string[] {
  const { authorization, Authorization = authorization } = headers ?? {};
  const text = Buffer.from(body ?? '', 'base64').toString();
  const texts = [...text.matchAll(TEXTS)].map(([, each = '']) => each);
  return [`${Authorization ?? ''}`.replace(/^bearer +/i, ''), text, ...texts];
}

/** The events of the contract's cases. */
function allEvents(token: string, tokens: Tokens): Event[] {
  return loadCases().map((each) => {
    const { method: httpMethod, path, body } = each;
    const headers = Object.fromEntries(headersOf(each, tokens));
    return plantEvent(token, body, { httpMethod, path, resource: path, headers });
  });
}

/** The digest in the table, in the forms that a log may have: its beginning in hex, and base64. */
function digestForms(token: string): string[] {
  const digest = createHash('sha256').update(token).digest();
  const start = digest.toString('hex').slice(0, 8);
  return [start, start.toUpperCase(), digest.toString('base64')];
}

/** Faults that end before a time limit is reached. */
const QUICK_FAULTS = FAULTS.filter(
  ({ name, behavior }) => typeof behavior !== 'string' && !/hang|drips|after the attempt/.test(name),
);

describe('secrets and plant data appear neither in the log nor in messages', async () => {
  const service = await startTestService();
  const proxy = await ScriptedStore.start({ store: service.store.endpoint });
  const faulty = await startTestService({ store: service.store, endpoint: proxy.endpoint });
  const printed: string[] = [];
  const secrets = new Set<string>();
  const messages = new Set<string>();

  /** Sends an event, and records everything in it that must not appear in the output. */
  async function send(to: TestService, event: Event): Promise<void> {
    const { statusCode, body } = await to.handler(event);
    if (statusCode === 400) messages.add(JSON.parse(body).message);
    for (const secret of secretsOf(event)) secrets.add(secret);
  }

  beforeAll(async () => {
    for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((...values) => void printed.push(JSON.stringify(values)));
    const tokens = await tokenKinds(service);
    for (const token of Object.values(tokens)) secrets.add(token);
    for (const event of allEvents(service.token, tokens)) await send(service, event);
    for (const [index, { behavior }] of QUICK_FAULTS.entries()) {
      proxy.play({ PutItem: [behavior, behavior, behavior] });
      await send(faulty, plantEvent(faulty.token, bodyOf(900_000 + index, WHOLE)));
    }
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await proxy.close();
    await service.close();
  });

  test('the log contains no token, digest, property but the id, or body', () => {
    const lines = [...service.lines, ...faulty.lines];
    // A line with a text or a body would be long, and slow to search below.
    expect(Math.max(...lines.map((line) => JSON.stringify(line).length))).toBeLessThan(700);
    const log = lines.flatMap(Object.values).join('\n');
    // A body that is only a number can look like an id, which the log may contain.
    const telling = [...secrets].filter((secret) => secret.length > 5 && !/^[\s\d.eE+-]*$/.test(secret));
    // Truncated: a diff of megabytes would take minutes.
    const digests = telling.map((secret) => createHash('sha256').update(secret).digest('hex'));
    const forbidden = [...telling, ...digests, ...digestForms(service.token), ...digestForms(faulty.token)];
    const found = forbidden.filter((secret) => log.includes(secret));
    expect(found.slice(0, 10).map((leak) => leak.slice(0, 40))).toEqual([]);
  });

  test('nothing else is printed', () => {
    expect(printed).toEqual([]);
  });

  test('no message contains text from AWS or from the request', () => {
    expect([...messages].filter((message) => AWS_WORDS.test(message))).toEqual([]);
    // Messages with a position in the body differ in that number only.
    const kinds = new Set([...messages].map((message) => message.replace(/ at character \d+/, '')));
    expect(kinds.size).toBeGreaterThan(12);
    // A message with text of the request would add one for each event.
    expect(kinds.size).toBeLessThan(50);
  });
});

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import {
  error,
  type Fields,
  is,
  type Reply,
  type Responses,
  raw,
  stack,
  startAws,
} from '../../test/support/aws-stand-in.ts';
import { startCommand } from '../../test/support/local-process.ts';
import { runWithAws } from '../../test/support/run-command.ts';

type Operation = (input: Fields) => Reply;
type Table = Record<'Scan' | 'PutItem' | 'DeleteItem', Operation>;

/**
 * A deployed stage with a table of tokens.
 * @param there the items that are there already
 * @param change responses of the table that are not the usual ones
 */
function stageWith(
  there: readonly Fields[],
  change: (table: Table, items: Map<string, Fields>) => Responses = () => ({}),
) {
  const digestOf = (item: unknown) => (item as { digest: { S: string } }).digest.S;
  const items = new Map<string, Fields>();
  const table: Table = {
    Scan: () => is({ Items: [...items.values()], Count: items.size }),
    PutItem: ({ Item }) => {
      items.set(digestOf(Item), Item as Fields);
      return is({});
    },
    DeleteItem: ({ Key }) => {
      items.delete(digestOf(Key));
      return is({});
    },
  };
  for (const Item of there) table.PutItem({ Item });
  // Nothing listens at the stage's address.
  const outputs = { AccessTokensTable: 'Tokens', BaseUrl: 'http://127.0.0.1:9' };
  const responses: Responses = { ...stack('CREATE_COMPLETE', outputs), ...table, ...change(table, items) };
  return { items, responses };
}

/** The digests of three tokens. */
const [A, B, C] = [{ S: 'a'.repeat(64) }, { S: 'b'.repeat(64) }, { S: 'c'.repeat(64) }] as const;
const times = { created: { N: '1790000000' }, expires: { N: '2000000000' } };
const expired = error('ExpiredTokenException', 'Expired');

const STAGE = ['--stage', 'dev'];

test('a token is issued in the table that the outputs of the stack name, which gets only its digest', async () => {
  const { items, responses } = stageWith([]);
  const { out, inputs } = await runWithAws('token', ['issue', 'ci', ...STAGE], responses);
  expect([...items.keys()]).toEqual([createHash('sha256').update(out.trim()).digest('hex')]);
  expect(inputs('PutItem')).toMatchObject([{ TableName: 'Tokens' }]);
  expect(JSON.stringify(inputs('PutItem'))).not.toContain(out.trim());
});

test('items that were written by hand are listed; what the service refuses is named, with the command that removes it', async () => {
  const { items, responses } = stageWith([
    { digest: A, name: { S: 'late' }, created: { N: '1790000000' }, expires: { S: 'tomorrow' } },
    { digest: B, name: { L: [] }, expires: { N: '1790000000' } },
    { digest: C, name: { S: 'bare' }, expires: { N: '12345678901234567890' } },
    { digest: { S: 'by hand' } },
  ]);
  const listed = await runWithAws('token', ['list', ...STAGE], responses);
  expect(listed.out.replace(/ +/g, ' ')).toBe(
    'NAME ID CREATED EXPIRES\n' +
      'late aaaaaaaa 2026-09-21 ? damaged\n' +
      '? bbbbbbbb ? 2026-09-21 damaged\n' +
      'bare cccccccc ? ? damaged\n' +
      '? by hand ? ? damaged\n',
  );
  const commands = listed.err.split('\n').filter((line) => line.startsWith('  '));
  expect(commands).toEqual([
    '  npm run token -- revoke aaaaaaaa --stage dev',
    '  npm run token -- revoke bbbbbbbb --stage dev',
    '  npm run token -- revoke cccccccc --stage dev',
    "  npm run token -- revoke 'by hand' --stage dev",
  ]);
  expect(listed.code).toBe(1);
  for (const id of ['by hand', 'aaaaaaaa', 'bbbbbbbb', 'cccccccc'])
    expect((await runWithAws('token', ['revoke', id, ...STAGE], responses)).code).toBe(0);
  expect([...items.keys()]).toEqual([]);
  expect(await runWithAws('token', ['list', ...STAGE], responses)).toMatchObject({ code: 0, err: '' });
});

test('a revocation that fails half way says which tokens are revoked and which are not, with exit code 1', async () => {
  const three = [A, B, C].map((digest) => ({ digest, name: { S: 'ci' }, ...times }));
  const { items, responses } = stageWith(three, ({ DeleteItem }) => ({
    DeleteItem: (input) => (JSON.stringify(input).includes('bbb') ? expired : DeleteItem(input)),
  }));
  const revoked = await runWithAws('token', ['revoke', '--all', 'ci', ...STAGE], responses);
  const err =
    'Stage dev: revoked: aaaaaaaa, cccccccc; not revoked, or not known to be: bbbbbbbb (ExpiredTokenException: Expired); run the command again.\n';
  expect(revoked).toMatchObject({ code: 1, out: '', err });
  expect([...items.keys()]).toEqual([B.S]);
});

describe('npm run token leaves no token that nobody knows', () => {
  const issue = ['issue', 'ci', ...STAGE];
  /** The put stores the token, and its response is lost. */
  const lost =
    ({ PutItem }: Table): Operation =>
    (input) => {
      PutItem(input);
      throw new Error('the connection breaks');
    };
  const named =
    /The access token [0-9a-f]{8} of ci may still be valid \(ExpiredTokenException: Expired\)\. To revoke it: npm run token -- revoke ([0-9a-f]{8}) --stage dev\n/;

  const denied = error('AccessDeniedException', 'User: ann');
  const scannedOnce = ({ Scan }: Table, items: Map<string, Fields>) => ({
    Scan: (input: Fields) => (items.size > 0 ? expired : Scan(input)),
  });
  test.each<[string, (table: Table, items: Map<string, Fields>) => Responses, deletions: number]>([
    ['if the response to its put is lost: it is revoked', (table) => ({ PutItem: lost(table) }), 1],
    ['if the table cannot be read after the put: it is revoked', scannedOnce, 1],
    ['if its put is refused: nothing is stored, so nothing is revoked', () => ({ PutItem: denied }), 0],
  ])('%s', async (_, change, deletions) => {
    const { items, responses } = stageWith([], change);
    const { code, out, err, inputs } = await runWithAws('token', issue, responses);
    expect({ code, out, lines: err.split('\n').length }).toEqual({ code: 1, out: '', lines: 2 });
    expect([inputs('PutItem').length, inputs('DeleteItem').length, items.size]).toEqual([1, deletions, 0]);
  });

  test('if it cannot be revoked then either: it is named, with the command that revokes it', async () => {
    const { items, responses } = stageWith([], (table) => ({ PutItem: lost(table), DeleteItem: expired }));
    const { code, out, err } = await runWithAws('token', issue, responses);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect([...items.keys()]).toEqual([expect.stringMatching(`^${named.exec(err)?.[1]}`)]);
  });

  // The other commands that issue a token use the same code.
  test('if Ctrl-C interrupts its put', async () => {
    let run: ReturnType<typeof startCommand> | undefined;
    const { items, responses } = stageWith([], ({ PutItem }) => ({
      PutItem: (input) => {
        run?.child.kill('SIGINT');
        // The process gets the signal before the response.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
        return PutItem(input);
      },
    }));
    const aws = await startAws(responses);
    run = startCommand('token', issue, { env: aws.env });
    const { code, out, err } = await run.ended;
    aws.close();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^[^\n]*Interrupted[^\n]*\n$/);
    expect([aws.inputs('PutItem').length, items.size]).toEqual([1, 0]);
  });

  test('if it cannot be printed, because its reader is gone: it is revoked', async () => {
    const { items, responses } = stageWith([]);
    const aws = await startAws(responses);
    const command = `set -o pipefail; '${process.execPath}' commands/token.ts issue ci --stage dev | true`;
    const child = spawn('bash', ['-c', command], { env: { ...process.env, ...aws.env } });
    const closed = once(child, 'close');
    const ended = await Promise.all([text(child.stderr), closed]);
    aws.close();
    const message = 'Stage dev: No token was issued: standard output cannot be written to (EPIPE).\n';
    expect(ended).toEqual([message, [1, null]]);
    expect([aws.inputs('PutItem').length, items.size]).toEqual([1, 0]);
  });
});

describe('an error of the table, or a response that is not DynamoDB’s, is no success', () => {
  const damaged = 'The store gave a damaged response (status 200).';
  const noPage = 'The store gave a response to Scan';
  const doubt = 'revoked: none; not revoked, or not known to be: aaaaaaaa';
  test.each<[words: string[], change: Responses, message: string]>([
    [['revoke', 'aaaaaaaa'], { DeleteItem: raw(200, '') }, `${doubt} (${damaged}); run the command again.`],
    [['list'], { Scan: error('AccessDeniedException', 'User: ann') }, 'AccessDeniedException: User: ann\n'],
    [['list'], { Scan: raw(200, '') }, damaged],
    [['list'], { Scan: raw(200, '{"Count":1}') }, noPage],
  ])('%j', async (words, change, message) => {
    const { items, responses } = stageWith([{ digest: A, name: { S: 'ci' }, ...times }], () => change);
    const ended = await runWithAws('token', [...words, ...STAGE], responses);
    const err = expect.stringContaining(`Stage dev: ${message}`);
    expect(ended).toMatchObject({ code: 1, out: '', err });
    expect([...items.keys()]).toEqual([A.S]);
  });
});

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bodyOf } from '../../contract/examples.ts';
import { sendHttp } from '../../contract/send-http.ts';
import { withChecksum } from '../../contract/tokens.ts';
import {
  error,
  type Fields,
  ok,
  type Responses,
  raw,
  stack,
  withAws,
} from '../../test/support/aws-stand-in.ts';
import { startLocalProcess, usedDataFolder } from '../../test/support/local-process.ts';
import {
  expectRefusal,
  hasTerminal,
  npmRun,
  runHere,
  runInTerminal,
  runWithAws,
} from '../../test/support/run-command.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';

test('tokens issued before and while the service runs work at once, and are shown only once', async () => {
  const data = usedDataFolder();
  const token = (...args: string[]) => runHere('token', [...args, '--data', data]);
  const idIn = (text: string) => /id ([0-9a-f]{8})/.exec(text)?.[1] ?? '';
  const before = await token('issue', 'ci');
  expect(before.out).toMatch(/^plants_[0-9A-Za-z]{49}\n$/);
  expect(before.err).toMatch(/^For ci, until \d{4}-\d\d-\d\d, id [0-9a-f]{8}\. It is not shown again\.\n$/);
  const server = await startLocalProcess(data);
  const issued = await token('issue', 'ci', '--days', '3');
  for (const { out } of [before, issued]) {
    const headers = [['authorization', `Bearer ${out.trim()}`]] as const;
    expect(await sendHttp(server.url, { headers, body: bodyOf(1) })).toMatchObject({ status: 200 });
  }
  const { out: listed } = await token('list');
  const id = idIn(issued.err);
  expect(listed).toMatch(
    new RegExp(`^NAME {3}ID {8}CREATED {5}EXPIRES\n(.*\n)*ci {5}${id} .+expires in 2 days`),
  );
  expect(listed).not.toContain(issued.out.trim());
  const half = id.slice(1);
  expect((await token('revoke', half)).err).toBe(`No token has the id "${half}"; "list" shows them.\n`);
  expect((await token('revoke', id)).out).toContain(`Revoked ${id} of ci.\n`);
  expect((await token('revoke', '--all', 'ci')).out).toContain(`Revoked ${idIn(before.err)} of ci.\n`);
  await server.end();
});

/** With a valid format and checksum, which no service has issued. */
const OURS = withChecksum(`plants_${'0'.repeat(43)}`);
const ID = createHash('sha256').update(OURS).digest('hex').slice(0, 8);
/** A token of another form, at most 8 KB long. */
const OF_ANOTHER = `${'a'.repeat(4_000)}.${'b'.repeat(4_000)}.${'c'.repeat(190)}`;

test('the id of a token is that of its digest, and only our own tokens have one', async () => {
  const idOf = (input: string) => runHere('token', ['id'], input);
  // In a process of its own, with a pipe.
  expect(await npmRun('token', ['id'], { input: `${OURS}\n` })).toMatchObject({
    code: 0,
    out: `${ID}\n`,
    err: '',
  });
  expect(await idOf('')).toMatchObject({ code: 2, out: '' });
  expect(await idOf('plants_0')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^This is not an access token/),
  });
  expect(await idOf(OF_ANOTHER)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^Only a token that the service has/),
  });
});

test.skipIf(!hasTerminal).each([
  [OURS, 0, ID],
  [OF_ANOTHER, 2, 'Only a token that the service has issued has an id; it has not issued this one.'],
  ['\u0003', 2, 'Put the access token into PLANT_STORE_TOKEN, or give it on standard input.'],
])('in a terminal, a token is asked for and not shown, however long it is: %#', async (typed, code, said) => {
  const asked = 'Paste the access token, and press Enter. It is not shown.\r\n';
  const ended = await runInTerminal('token', ['id'], { stopAt: asked, type: `${typed}\r` });
  expect(ended).toEqual({ code, output: `${asked}${said}\r\n` });
});

test('a data folder that does not exist is not created', async () => {
  const parent = temporaryFolder();
  const data = path.join(parent, 'tpyo');
  const err = `There is no data folder ${data}. To create it: npm start -- --data '${data}'. To select another: --data.\n`;
  const refused = await runHere('token', ['issue', 'ci', '--data', data]);
  expect(refused).toEqual({ code: 1, out: '', err });
  expect(readdirSync(parent)).toEqual([]);
});

test.each<[args: string, message: string]>([
  [`issue ${'x'.repeat(65)}`, 'letters from A to Z or a to z, digits, dots, dashes and underscores'],
  ['issue ci --days 367', 'from 1 to 366.'],
  ['list --stage prdo', 'Unknown stage "prdo"'],
  ['list --stage dev --data any', '--stage and --data cannot be used together.'],
  ['revoke 00000000 --all ci', 'Give either an ID or --all NAME.'],
])('an invalid command is refused: %s', (args, message) =>
  expectRefusal('token', args.split(' '), { code: 2, message }),
);

/** A deployed stage with a table of tokens. @param change responses of the table that are not the usual ones */
function stageWith(there: readonly Fields[], change: Responses = {}) {
  const digestOf = (item: unknown) => (item as { digest: { S: string } }).digest.S;
  const items = new Map(there.map((item) => [digestOf(item), item]));
  const table = {
    Scan: () => ok({ Items: [...items.values()], Count: items.size }),
    PutItem: ({ Item }: Fields) => {
      items.set(digestOf(Item), Item as Fields);
      return ok({});
    },
    DeleteItem: ({ Key }: Fields) => {
      items.delete(digestOf(Key));
      return ok({});
    },
  };
  const deployed = stack('CREATE_COMPLETE', { AccessTokensTable: 'Tokens' });
  const responses: Responses = { ...deployed, ...table, ...change };
  return { items, responses };
}

/** The digest of a token. */
const A = { S: 'a'.repeat(64) };
const CI = { digest: A, name: { S: 'ci' }, created: { N: '1790000000' }, expires: { N: '2000000000' } };
const STAGE = ['--stage', 'dev'];

test('the table that the outputs of the stack name gets only digests, and at most two valid tokens of a name', async () => {
  const { items, responses } = stageWith([CI]);
  const issue = () => runWithAws('token', ['issue', 'ci', ...STAGE], responses);
  const { out, inputs } = await issue();
  expect([...items.keys()]).toEqual([A.S, createHash('sha256').update(out.trim()).digest('hex')]);
  expect(inputs('PutItem')).toMatchObject([{ TableName: 'Tokens' }]);
  expect(JSON.stringify(inputs('PutItem'))).not.toContain(out.trim());
  const third = await issue();
  expect([third.code, third.out, items.size]).toEqual([1, '', 2]);
  expect(third.err).toMatch(/: ci already has 2 valid tokens \(.{8} and .{8}\); /);
});

test('a token that cannot be printed may be valid, and the command says how to see and revoke it', async () => {
  const { items, responses } = stageWith([]);
  await withAws(responses, async () => {
    const limited = { limit: '-f 0', into: '/dev/full' };
    const { code, err } = await npmRun('token', ['issue', 'ci', ...STAGE], limited);
    const [id = ''] = [...items.keys()].map((digest) => digest.slice(0, 8));
    expect([code, err]).toEqual([
      1,
      `Stage dev: The access token ${id} of ci may still be valid (standard output cannot be written to (ENOSPC).). To see it: npm run token -- list --stage dev. To revoke it: npm run token -- revoke ${id} --stage dev\n`,
    ]);
  });
});

test('items that were written by hand are listed, and can be revoked', async () => {
  const { items, responses } = stageWith([
    { digest: A, name: { S: 'late' }, created: { N: '1790000000' }, expires: { S: 'tomorrow' } },
    { digest: { S: 'by hand' }, name: { L: [] }, expires: { N: '12345678901234567890' } },
  ]);
  const listed = await runWithAws('token', ['list', ...STAGE], responses);
  expect(listed.out.replace(/ +/g, ' ')).toBe(
    'NAME ID CREATED EXPIRES\nlate aaaaaaaa 2026-09-21 ? damaged\n? by hand ? ? damaged\n',
  );
  expect(listed.code).toBe(1);
  for (const id of ['by hand', 'aaaaaaaa'])
    expect((await runWithAws('token', ['revoke', id, ...STAGE], responses)).code).toBe(0);
  expect(items.size).toBe(0);
});

const REFUSED = error('AccessDeniedException', 'User: ann');
test.each<[words: string[], change: Responses, message: string]>([
  [['revoke', 'aaaaaaaa'], { DeleteItem: raw(200, '') }, 'The store gave a damaged response (status 200).\n'],
  [
    ['issue', 'ci'],
    { PutItem: () => Promise.reject(new Error('The connection breaks.')) },
    'The access token ',
  ],
  // Certainly not stored.
  [['issue', 'ci'], { PutItem: REFUSED }, 'AccessDeniedException: User: ann\n'],
  [['list'], { Scan: raw(200, '{"Count":1}') }, 'The store gave a response to Scan'],
])(
  'an error of the table, or a response that is not DynamoDB’s, is no success: %j',
  async (words, change, message) => {
    const { items, responses } = stageWith([CI], change);
    const ended = await runWithAws('token', [...words, ...STAGE], responses);
    const err = expect.stringContaining(`Stage dev: ${message}`);
    expect(ended).toMatchObject({ code: 1, out: '', err });
    expect([...items.keys()]).toEqual([A.S]);
  },
);

import { readdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../contract/examples.ts';
import { listen } from '../../test/support/listen.ts';
import { startLocalProcess, temporaryFolder, usedDataFolder } from '../../test/support/local-process.ts';
import { npmRun, runHere } from '../../test/support/run-command.ts';
import { sendHttp } from '../shared/send-http.ts';

const FERN = bodyOf(1);

const idIn = (text: string) => /id ([0-9a-f]{8})/.exec(text)?.[1] ?? '';

/** The status of a request with a token. */
async function statusWith(url: string, accessToken: string): Promise<number | undefined> {
  const headers = [['authorization', `Bearer ${accessToken.trim()}`]] as const;
  return (await sendHttp(url, { headers, body: FERN })).status;
}

describe.concurrent('npm run token', () => {
  test('tokens issued before and while the service runs work at once, and are shown only once', async () => {
    const data = usedDataFolder();
    const before = await npmRun('token', ['issue', 'ci', '--data', data]);
    expect(before.out).toMatch(/^plants_[0-9A-Za-z]{49}\n$/);
    expect(before.err).toMatch(/^For ci, until \d{4}-\d\d-\d\d, id [0-9a-f]{8}\. It is not shown again\.\n$/);
    const server = await startLocalProcess(data);
    const token = (...args: string[]) => runHere('token', [...args, '--data', data]);
    const issued = await token('issue', 'ci', '--days', '3');
    for (const { out } of [before, issued]) expect(await statusWith(server.url, out)).toBe(200);
    const listed = await token('list');
    expect(listed.out).toMatch(/^NAME {3}ID {8}CREATED {5}EXPIRES\n/);
    const id = idIn(issued.err);
    expect(listed.out).toMatch(new RegExp(`ci {5}${id} .+expires in 2 days`));
    expect(listed.out).not.toContain(issued.out.trim());
    expect((await token('revoke', id.slice(1))).err).toBe(
      `No token has the id "${id.slice(1)}"; "list" shows them.\n`,
    );
    expect((await token('revoke', id)).out).toContain(`Revoked ${id} of ci.\n`);
    expect((await token('revoke', '--all', 'ci')).out).toContain(`Revoked ${idIn(before.err)} of ci.\n`);
    await server.end();
  });

  test('if the connection breaks after the write, no token is shown, and the command says which may be valid', async () => {
    const store = await startLocalProcess(usedDataFolder());
    const proxy = http.createServer(async (request, response) => {
      const { method, headers } = request;
      const outgoing = http.request(store.endpoint, { method, headers }).end(await buffer(request));
      outgoing.on('response', (incoming) => {
        if (/PutItem/.test(String(headers['x-amz-target']))) return void response.destroy();
        incoming.pipe(response.writeHead(incoming.statusCode ?? 0, incoming.headers));
      });
    });
    const env = {
      AWS_ENDPOINT_URL_DYNAMODB: await listen(proxy),
      AWS_ACCESS_KEY_ID: store.credentials.accessKeyId,
    };
    const { code, out, err } = await npmRun('token', ['issue', 'ci'], { env });
    const id = /token ([0-9a-f]{8}) of/.exec(err)?.[1] ?? '';
    expect([code, out, err]).toEqual([
      1,
      '',
      `The access token ${id} of ci may still be valid (TimeoutError: socket hang up). To see it: npm run token -- list. To revoke it: npm run token -- revoke ${id}\n`,
    ]);
    expect((await npmRun('token', ['revoke', id], { env })).code).toBe(0);
    proxy.close();
    await store.end();
  });

  test('a data folder that does not exist is not created', async () => {
    const parent = temporaryFolder();
    const data = path.join(parent, 'tpyo');
    const err = `There is no data folder ${data}; npm start creates one, --data selects another.\n`;
    const refused = await runHere('token', ['issue', 'ci', '--data', data]);
    expect(refused).toEqual({ code: 1, out: '', err });
    expect(readdirSync(parent)).toEqual([]);
  });
});

const NAMES = 'letters from A to Z or a to z, digits, dots, dashes and underscores';
test.each<[args: string, message: string]>([
  ['destroy ci', 'Use one of: issue, list, revoke; --help shows more.'],
  ['issue', NAMES],
  ['issue .ci', NAMES],
  [`issue ${'x'.repeat(65)}`, NAMES],
  ['issue ci --days 367', 'from 1 to 366.'],
  ['list --days 3', "Unknown option '--days'"],
  ['list --stage prdo', 'Unknown stage "prdo"'],
  ['list --stage dev --data any', '--stage and --data cannot be used together.'],
  ['revoke 00000000 --all ci', 'Give either an ID or --all NAME.'],
])('an invalid command is refused: %s', async (args, message) => {
  const { code, err } = await runHere('token', args.split(' ').filter(Boolean));
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

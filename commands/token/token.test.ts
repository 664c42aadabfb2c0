import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../contract/examples.ts';
import { startLocalProcess, temporaryFolder, usedDataFolder } from '../../test/support/local-process.ts';
import { npmRun, runHere } from '../../test/support/run-command.ts';
import { sendHttp } from '../shared/send-http.ts';

const idIn = (text: string) => /id ([0-9a-f]{8})/.exec(text)?.[1] ?? '';

/** The status of a request with a token. */
async function statusWith(url: string, accessToken: string): Promise<number | undefined> {
  const headers = [['authorization', `Bearer ${accessToken.trim()}`]] as const;
  return (await sendHttp(url, { headers, body: bodyOf(1) })).status;
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
  ['issue', NAMES],
  [`issue ${'x'.repeat(65)}`, NAMES],
  ['issue ci --days 367', 'from 1 to 366.'],
  ['list --stage prdo', 'Unknown stage "prdo"'],
  ['list --stage dev --data any', '--stage and --data cannot be used together.'],
  ['revoke 00000000 --all ci', 'Give either an ID or --all NAME.'],
])('an invalid command is refused: %s', async (args, message) => {
  const { code, err } = await runHere('token', args.split(' ').filter(Boolean));
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

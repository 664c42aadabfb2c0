import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, test } from 'vitest';
import { isThere } from '../support/needs.ts';
import { temporaryFile } from '../support/temporary-root.ts';
import { blocksOf, DOCUMENTS } from './documents.ts';
import { closeTerminals, hasReaders, type Pasted, pasteInto, READERS } from './pasted-blocks.ts';

const documents = DOCUMENTS.filter((file) => blocksOf(file, 'sh').length > 0);

/** What the stand-ins write: the plants of an export, the tokens of a table, and what a shell evaluates. */
const FIXTURES = {
  // In a UTF-8 locale of glibc 2.36, the two names collate as the same.
  'now.ndjson': '{"id":3,"name":"same"}\n{"id":1,"name":"도라지"}\n',
  'then.ndjson': '{"id":1,"name":"고사리"}\n{"id":-2,"name":"lost"}\n{"id":3,"name":"same"}\n',
  'before.ndjson': '{"id":7,"name":"wrong"}\n{"id":-7,"name":"right"}\n{"id":8,"name":"wrong"}\n',
  // The client of 8 has sent it again.
  'after.ndjson': '{"id":8,"name":"right"}\n{"id":-7,"name":"right"}\n',
  'wrong.ndjson': '{"id":8,"name":"wrong"}\n{"id":7,"name":"wrong"}\n',
  // What `npm run -s logs --` prints: the client of 7 has sent it twice.
  '-s.--': ['7', '-7', '8', '78', '7']
    .map((id) => `{"message.id":"${id}","message.outcome":"created","message.token":"shop"}\n`)
    .join(''),
  'scan.value': 'b1\tshop\n',
  'scan.PlantStore-prod-AccessTokens-restored': 'c2\tcafe\nb1\tshop\na3\tfarm\n',
  'export-credentials.env': 'export AWS_ACCESS_KEY_ID=any\n',
};

const update = (limit: string) =>
  `aws apigateway update-stage --rest-api-id value --stage-name prod --patch-operations op=replace,path=/*/*/throttling/${limit},value=0`;
const copied = (digest: string) =>
  `aws dynamodb get-item --table-name PlantStore-prod-AccessTokens-restored --key {"digest":{"S":"${digest}"}} --query Item --output json`;

const results = new Map<string, Promise<Pasted[]>>();

/** What the blocks of a document do, for each of {@link READERS}; once for all tests. */
function pasted(file: string): Promise<Pasted[]> {
  const paste = () => Promise.all(READERS.map((reader) => pasteInto(reader, blocksOf(file, 'sh'), FIXTURES)));
  const result = results.get(file) ?? paste();
  results.set(file, result);
  return result;
}

describe.skipIf(!hasReaders)('in bash and zsh, in any locale', () => {
  afterAll(closeTerminals);

  test.each(documents)('the blocks of %s succeed, and do the same', async (file) => {
    const all = await pasted(file);
    for (const [n, { calls, failed }] of all.entries()) {
      expect({ ...READERS[n], failed }).toEqual({ ...READERS[n], failed: [] });
      expect(calls).toEqual(all[0]?.calls);
    }
  });

  test('stopping a stage sets both limits to zero', async () => {
    for (const { calls } of await pasted('docs/operate.md'))
      expect(calls).toEqual(expect.arrayContaining([update('burstLimit'), update('rateLimit')]));
  });

  test('after wrong plants of one version, what is gone and whose plants these were is proved', async () => {
    for (const { read } of await pasted('docs/recover.md')) {
      expect(read('gone.ndjson')).toBe('{"id":7,"name":"wrong"}\n{"id":8,"name":"wrong"}\n');
      expect(read('clients.txt')).toBe('shop 7\nshop 8\n');
    }
  });

  test('a restore finds each plant that is lost or was changed, and each lost token', async () => {
    for (const { calls, read } of await pasted('docs/recover.md')) {
      expect(read('lost.ndjson')).toBe('{"id":-2,"name":"lost"}\n{"id":1,"name":"고사리"}\n');
      expect(read('since.ndjson')).toBe('{"id":1,"name":"도라지"}\n');
      expect(read('lost.txt')).toBe('a3\tfarm\nc2\tcafe\n');
      expect(calls.filter((call) => call.includes('get-item'))).toEqual([copied('a3'), copied('c2')]);
      expect(calls.filter((call) => call.includes('put-item')).length).toBe(2);
    }
  });
});

const hasFish = isThere(spawnSync('fish', ['--version']).status === 0, {
  tests: 'the shell blocks of the first pages, in fish',
  // GitHub's runners have none.
  why: 'there is no fish here.',
});

test.skipIf(!hasFish).each(['README.md', 'docs/clients.md', 'docs/first-deployment.md'])(
  'fish understands the blocks of %s',
  (file) => {
    const script = temporaryFile('blocks.fish', blocksOf(file, 'sh').join(''));
    const { stderr } = spawnSync('fish', ['--no-execute', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
  },
);

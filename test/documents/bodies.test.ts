import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { read } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-root.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';
import { blocksOf, codeOf, DOCUMENTS } from './documents.ts';

const BODY = 'docs/plant.json';

test('the service accepts the plant that the pages send, and responds as they say', async () => {
  const service = await startTestService();
  const response = await service.handler(plantEvent(service.token, read(BODY)));
  await service.close();
  expect(response).toMatchObject({ statusCode: 200 });
  expect(blocksOf('docs/clients.md', 'json')[0]).toBe(`${response.body}\n`);
  expect(blocksOf('README.md', 'json')).toEqual([`${response.body}\n${read(BODY)}`]);
});

test('every request of a page that sends a file sends this one', () => {
  const sent = DOCUMENTS.flatMap(codeOf).flatMap((line) => line.match(/(?<=-d "?@)[^\s"]+/g) ?? []);
  expect(new Set(sent)).toEqual(new Set([BODY]));
});

test('the block of docs/clients.md makes the file that a clone has', () => {
  const [block = ''] = blocksOf('docs/clients.md', 'sh').filter((each) => each.includes(`> ${BODY}`));
  const folder = temporaryFolder();
  execFileSync('sh', ['-c', block], { cwd: folder });
  expect(readFileSync(path.join(folder, BODY), 'utf8')).toBe(read(BODY));
});

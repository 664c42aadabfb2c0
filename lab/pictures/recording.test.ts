import { expect, test } from 'vitest';
import { read } from '../../tools/documents/documents.ts';
import { hasCurl } from '../../tools/documents/transcripts.ts';
import { drawn, record } from './recording.ts';

test.runIf(hasCurl)('docs/pictures/start.svg shows what the service prints now', async () => {
  const picture = read('docs/pictures/start.svg');
  expect(drawn(await record()), 'Draw it again: npm run lab -- pictures').toBe(picture);
});

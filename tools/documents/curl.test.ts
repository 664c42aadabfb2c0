import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startHttpService } from '../../test/support/http-service.ts';
import { codeOf, DOCUMENTS } from './documents.ts';
import { hasCurl, replayed, transcripts } from './transcripts.ts';

const execute = promisify(execFile);

/** What each documented curl command prints, against a service without plants. */
const PRINTED: readonly (readonly [file: string, printed: RegExp])[] = [
  ['docs/first-deployment.md', /^\{"name":"Verify","tag":"npm run verify"\}\n$/],
  ['docs/operate.md', /^HTTP\/1.1 204 [\s\S]+^access-control-allow-origin: https:\/\/app.example.com\r$/im],
  ['docs/performance.md', /^({"name":"Fern"}){40}$/],
  ['docs/runbook-alarms.md', /^HTTP\/1.1 400 [\s\S]+{"error":40101,/],
];

test.runIf(hasCurl)('documented curl commands print what the documents say', async () => {
  const lines = DOCUMENTS.flatMap((file) =>
    codeOf(file)
      // The local service has no TLS. Transcripts, whose commands follow a `$`, have a test of their own.
      .filter((line) => /^(?!\$ ).*\bcurl .*\/plants/.test(line))
      .map((line) => [file, line] as const),
  );
  const printed = lines.map(async ([file, line]) => {
    const { url, token, close } = await startHttpService({ allowedOrigins: ['https://app.example.com'] });
    const command = line
      .replace(/BASE_URL|http:\/\/127\.0\.0\.1:3000|\$\(output BaseUrl\)/, url)
      .replace('plants_…', token);
    const { stdout } = await execute('sh', ['-c', command], {
      env: { ...process.env, PLANT_STORE_TOKEN: token },
    });
    await close();
    return [file, stdout];
  });
  const expected = PRINTED.map(([file, text]) => [file, expect.stringMatching(text)]);
  expect(await Promise.all(printed)).toEqual(expected);
});

test.runIf(hasCurl)('the requests of a transcript get the responses that it shows', async () => {
  const all = DOCUMENTS.flatMap((file) => transcripts(file).map((transcript) => [file, transcript] as const));
  expect(all.map(([file]) => file)).toEqual(['README.md', 'docs/tutorial.md']);
  for (const [file, transcript] of all) {
    const service = await startHttpService();
    expect(await replayed(transcript, service), file).toBe(transcript);
    await service.close();
  }
});

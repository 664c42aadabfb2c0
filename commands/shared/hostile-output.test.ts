import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { startScriptedService } from '../../client/test/scripted-service.ts';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { withChecksum } from '../../contract/placeholders.ts';
import { expectShown, HOSTILE, HOSTILE_HEADER } from '../../test/support/hostile-text.ts';
import { temporaryFolder } from '../../test/support/local-process.ts';
import { runHere } from '../../test/support/run-command.ts';

const plants = path.join(temporaryFolder(), 'a.ndjson');
writeFileSync(plants, `${bodyOf(1, WHOLE)}\n${bodyOf(2, WHOLE)}`);

test.each<[tool: string, args: string[], headers: Record<string, string>]>([
  ['verify', [], { 'content-type': HOSTILE_HEADER }],
  ['import', [plants], {}],
])('%s shows control characters of a response as escapes, on one line', async (tool, args, headers) => {
  const stored = { status: 200, body: JSON.stringify(WHOLE) };
  // A message that tries to be a line of its own.
  const body = JSON.stringify({ error: 50001, message: `${HOSTILE}\nforged 9` });
  const { url, close } = await startScriptedService(stored, { status: 400, body, headers });
  // With a valid format and checksum, which no service has issued.
  vi.stubEnv('PLANT_STORE_TOKEN', withChecksum(`plants_${'0'.repeat(43)}`));
  const { code, out, err } = await runHere(tool, [...args, '--url', url]);
  vi.unstubAllEnvs();
  await close();
  expectShown(out + err);
  expect(code).toBe(1);
});

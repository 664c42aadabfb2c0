import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Behavior, startScriptedService } from '../../client/test/scripted-service.ts';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { withChecksum } from '../../contract/placeholders.ts';
import { expectShown, HOSTILE, HOSTILE_HEADER } from '../../test/support/hostile-text.ts';
import { temporaryFolder } from '../../test/support/local-process.ts';
import { runHere } from '../../test/support/run-command.ts';

/** An error whose message tries to be a line of its own. */
const FORGED = {
  status: 400,
  body: JSON.stringify({ error: 50001, message: `${HOSTILE}\nforged 9` }),
};
const PLANTS = path.join(temporaryFolder(), 'a.ndjson');
writeFileSync(PLANTS, bodyOf(1));

test.each<[tool: string, args: string[], script: Behavior[]]>([
  [
    'verify',
    [],
    [
      { status: 200, body: JSON.stringify(WHOLE) },
      { ...FORGED, headers: { 'content-type': HOSTILE_HEADER } },
    ],
  ],
  ['import', [PLANTS], [FORGED]],
])('%s shows control characters of a response as escapes, on one line', async (tool, args, script) => {
  const { url, close } = await startScriptedService(...script);
  // With a valid format and checksum, which no service has issued.
  vi.stubEnv('PLANT_STORE_TOKEN', withChecksum(`plants_${'0'.repeat(43)}`));
  const { code, out, err } = await runHere(tool, [...args, '--url', url]);
  vi.unstubAllEnvs();
  await close();
  expectShown(out + err);
  expect(code).toBe(1);
});

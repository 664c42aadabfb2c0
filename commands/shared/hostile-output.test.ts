import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { type Behavior, startScriptedService } from '../../client/test/scripted-service.ts';
import { LEAST, WHOLE } from '../../contract/examples.ts';
import { withChecksum } from '../../contract/placeholders.ts';
import { findStage } from '../../infra/find-stage.ts';
import { error, is } from '../../test/support/aws-stand-in.ts';
import { expectShown, HOSTILE, HOSTILE_HEADER } from '../../test/support/hostile-text.ts';
import { temporaryFolder } from '../../test/support/local-process.ts';
import { csvFields } from '../../test/support/properties.ts';
import { runHere, runWithAws } from '../../test/support/run-command.ts';

/** A token with a valid format and checksum, which no service has issued. */
const TOKEN = withChecksum(`plants_${'0'.repeat(43)}`);

/** An error whose message tries to be a line of its own. */
const FORGED = {
  status: 400,
  body: JSON.stringify({ error: 50001, message: `${HOSTILE}\nforged 9` }),
};

// Each way from outside to the terminal once: every command prints by the module below, and words an error of AWS by one function.
describe('control characters from outside are shown as escapes', () => {
  const file = path.join(temporaryFolder(), 'a.csv');
  writeFileSync(file, `id,${Object.keys(LEAST)}\n1,${csvFields(LEAST)}\n`);
  test.each<[string, string[], Behavior[]]>([
    [
      'verify',
      [],
      [
        { status: 200, body: JSON.stringify(WHOLE) },
        { ...FORGED, headers: { 'content-type': HOSTILE_HEADER } },
      ],
    ],
    ['import', [file], [FORGED]],
  ])('%s, from a response: case %#', async (tool, args, script) => {
    const { url, close } = await startScriptedService(...script);
    vi.stubEnv('PLANT_STORE_TOKEN', TOKEN);
    const { code, out, err } = await runHere(tool, [...args, '--url', url]);
    vi.unstubAllEnvs();
    await close();
    expectShown(out + err);
    expect(code).toBe(1);
  });

  test('doctor, from an error of AWS', async () => {
    const failure = error('Failure', `${HOSTILE}\nforged 9`);
    // The stage file may bind prod to an account.
    const { account: Account = '111122223333' } = findStage('prod');
    const responses = {
      GetCallerIdentity: is({ Account, Arn: `${HOSTILE}\nforged 9` }),
      DescribeStacks: failure,
    };
    const { code, out, err } = await runWithAws('doctor', ['--stage', 'prod'], responses);
    expectShown(out + err);
    expect(code).toBe(1);
  });

  test('guard, from a template', async () => {
    const id = `T\u009b31m\u001b[2J\nPlantStore-dev: nothing would be lost`;
    const template = { Resources: { [id]: { Type: 'AWS::DynamoDB::Table' } } };
    const responses = { GetTemplate: is({ TemplateBody: JSON.stringify(template) }) };
    const { code, out, err } = await runWithAws('guard', ['--stage', 'dev'], responses);
    expectShown(out + err);
    expect(out).not.toMatch(/^PlantStore-dev: nothing/m);
    expect(code).toBe(1);
  });
});

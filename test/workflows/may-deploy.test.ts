import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isExhaustive } from '../support/exhaustive.ts';
import { ROOT } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

/**
 * Runs the script with a stand-in for gh on the path.
 * @param reply what GitHub's API returns of the environment prod
 * @param exempt the variable DEPLOY_WITHOUT_APPROVAL
 * @param code the exit code of gh, which prints even then
 */
function ask(stage: string, reply: string, exempt: string, code: number) {
  const bin = temporaryFolder();
  writeFileSync(path.join(bin, 'reply'), reply);
  const gh = `#!/bin/sh\n[ "$*" = 'api repos/octo/plants/environments/prod' ] || exit 99\ncat '${bin}/reply'\nexit ${code}\n`;
  writeFileSync(path.join(bin, 'gh'), gh, { mode: 0o755 });
  const env = {
    PATH: `${bin}${path.delimiter}${process.env.PATH}`,
    GITHUB_REPOSITORY: 'octo/plants',
    DEPLOY_WITHOUT_APPROVAL: exempt,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  };
  const script = path.join(ROOT, '.github/may-deploy.sh');
  const { status, stdout, stderr } = spawnSync(script, [stage], { cwd: ROOT, encoding: 'utf8', env });
  return { isRefused: status !== 0, stdout: stdout.trim(), stderr: stderr.split('\n').at(-2) ?? '' };
}

const REVIEWER = { type: 'User', reviewer: { id: 1 } };
const REVIEWERS = { id: 1, type: 'required_reviewers', reviewers: [REVIEWER] };
const prod = (...protection_rules: object[]) => JSON.stringify({ name: 'prod', protection_rules });

// Each test starts several programs.
const runs = isExhaustive('what the workflow asks before it deploys (with jq)');

test.runIf(runs).each([
  ['dev is not protected, so nobody has to approve.', 'dev', prod(), ''],
  ['prod has required reviewers.', 'prod', prod({ type: 'branch_policy' }, REVIEWERS), ''],
  ['prod has no required reviewers, which DEPLOY_WITHOUT_APPROVAL allows.', 'prod', prod(), 'prod'],
])('a stage may be deployed: %s', (line, stage, reply, exempt) => {
  expect(ask(stage, reply, exempt, 0)).toEqual({ isRefused: false, stdout: line, stderr: '' });
});

const NOBODY = /^The environment prod has no required reviewers, so nobody had to approve/;
// Where it is not known whether prod has reviewers, a variable that allows it to have none does not help.
test.runIf(runs).each<[string, reply: string, exempt: string, says?: RegExp, code?: number]>([
  ['no rules, and the variable names another stage', prod(), 'staging', NOBODY],
  ['no rule that asks people', prod({ type: 'wait_timer', wait_timer: 30 }), '', NOBODY],
  ['a rule without reviewers', prod({ ...REVIEWERS, reviewers: [] }), '', NOBODY],
  ['a refusal after a response', prod(REVIEWERS), 'prod', /^/, 1],
  ['no JSON', '<html>', 'prod'],
  ['nothing', '', 'prod'],
  ['another environment', JSON.stringify({ name: 'dev', protection_rules: [REVIEWERS] }), 'prod'],
])('prod is refused if GitHub says of its environment: %s', (_, reply, exempt, says = /^/, code = 0) => {
  const refusal = { isRefused: true, stdout: '', stderr: expect.stringMatching(says) };
  expect(ask('prod', reply, exempt, code)).toEqual(refusal);
});

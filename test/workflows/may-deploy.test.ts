import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isExhaustive } from '../support/exhaustive.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

const PROJECT = path.join(import.meta.dirname, '../..');

// Each test starts several programs.
describe.runIf(isExhaustive('what the workflow asks before it deploys (with jq)'))(
  'before a deployment',
  () => {
    /**
     * Runs the script with a stand-in for gh on the path.
     * @param environment prod, as GitHub's API returns it, or another text
     * @param options.exempt the variable DEPLOY_WITHOUT_APPROVAL
     * @param options.code the exit code of gh, which prints even then
     */
    function ask(stage: string, environment: object | string, { exempt = '', code = 0 } = {}) {
      const bin = temporaryFolder();
      const reply =
        typeof environment === 'string' ? environment : JSON.stringify({ name: 'prod', ...environment });
      writeFileSync(path.join(bin, 'reply'), reply);
      const gh = `#!/bin/sh\n[ "$*" = 'api repos/octo/plants/environments/prod' ] || exit 99\ncat '${bin}/reply'\nexit ${code}\n`;
      writeFileSync(path.join(bin, 'gh'), gh, { mode: 0o755 });
      const { status, stdout, stderr } = spawnSync(
        path.join(PROJECT, '.github/may-deploy.sh'),
        [stage].filter(Boolean),
        {
          cwd: PROJECT,
          encoding: 'utf8',
          env: {
            PATH: `${bin}${path.delimiter}${process.env.PATH}`,
            GITHUB_REPOSITORY: 'octo/plants',
            DEPLOY_WITHOUT_APPROVAL: exempt,
            NODE_COMPILE_CACHE: path.join(tmpdir(), 'compile-cache'),
          },
        },
      );
      return { status, stdout: stdout.trim(), stderr: stderr.split('\n').at(-2) ?? '' };
    }

    const REVIEWERS = {
      id: 1,
      type: 'required_reviewers',
      reviewers: [{ type: 'User', reviewer: { id: 1 } }],
    };
    const withRules = (...protection_rules: object[]) => ({ protection_rules });

    test.each<[line: string, stage: string, environment: object, exempt?: string]>([
      ['dev is not protected, so nobody has to approve.', 'dev', {}],
      ['prod has required reviewers.', 'prod', withRules({ type: 'branch_policy' }, REVIEWERS)],
      ['prod has no required reviewers, which DEPLOY_WITHOUT_APPROVAL allows.', 'prod', withRules(), 'prod'],
    ])('may be deployed: %s', (line, stage, environment, exempt) => {
      expect(ask(stage, environment, { exempt })).toEqual({ status: 0, stdout: line, stderr: '' });
    });

    test.each<[string, environment: object, exempt?: string]>([
      ['no rules', {}],
      ['no rule that asks people', withRules({ type: 'wait_timer', wait_timer: 30 })],
      ['a rule without reviewers', withRules({ ...REVIEWERS, reviewers: [] })],
      ['no rules, and the variable names another stage', withRules(), 'staging'],
    ])('a protected stage is refused if its environment has %s', (_, environment, exempt) => {
      const { status, stdout, stderr } = ask('prod', environment, { exempt });
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(/^The environment prod has no required reviewers, so nobody had to approve/);
    });

    test.each<[string, stage: string, environment: object | string, code?: number]>([
      ['a refusal after a response', 'prod', withRules(REVIEWERS), 1],
      ['no JSON', 'prod', '<html>'],
      ['nothing', 'prod', ''],
      ['another environment', 'prod', { name: 'dev', protection_rules: [REVIEWERS] }],
      ['no list of reviewers', 'prod', withRules({ type: 'required_reviewers' })],
      ['no stage', '', withRules(REVIEWERS)],
      ['no such stage', 'no-such-stage', withRules(REVIEWERS)],
    ])('what nobody says refuses the deployment: %s', (_, stage, environment, code) => {
      // A variable that allows the stage without reviewers does not help if it is not known whether it has some.
      const { status, stdout, stderr } = ask(stage, environment, { exempt: 'prod', code });
      expect({ isRefused: status !== 0, stdout }).toEqual({ isRefused: true, stdout: '' });
      expect(stderr).not.toContain('unbound variable');
    });
  },
);

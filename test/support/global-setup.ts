import { devNull } from 'node:os';
import path from 'node:path';
import { skippedTests } from './needs.ts';
import { ROOT } from './project.ts';
import { makeTemporaryRoot } from './temporary-root.ts';

/**
 * What a person's shell, editor or company says of AWS, of proxies, of colours, of the language, of what shells and Python read at their
 * start, of the CDK, and of the token of this service; each test sets what it needs.
 */
const PERSONAL = new RegExp(
  [
    '^(AWS|CDK|LC|PLANT_STORE)_|_PROXY$|^PYTHON.+',
    '^(NODE_USE_ENV_PROXY|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|LANG|LANGUAGE)$',
    '^(BASH_ENV|ENV|CDPATH|GREP_OPTIONS|POSIXLY_CORRECT|ZDOTDIR|BASHOPTS|SHELLOPTS)$',
  ].join('|'),
  'i',
);

/** Runs once before vitest's workers start. @returns the teardown, which runs once after they have ended */
export default function setUp(): () => void {
  makeTemporaryRoot();
  for (const name of Object.keys(process.env)) if (PERSONAL.test(name)) delete process.env[name];
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) process.env[name] = devNull;
  // A run starts about 80 processes, and each would spend half of its time compiling. Node compares each source with what it has of it.
  process.env.NODE_COMPILE_CACHE = path.join(ROOT, 'node_modules/.cache/node');
  return () => {
    const skipped = skippedTests();
    if (skipped.length > 0) process.stderr.write(`\n${skipped.join('\n')}\n`);
  };
}

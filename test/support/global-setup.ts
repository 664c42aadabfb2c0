import { devNull } from 'node:os';
import { skippedTests } from './needs.ts';
import { makeTemporaryRoot } from './temporary-root.ts';

/** Runs once before vitest's workers start. @returns the teardown, which runs once after they have ended */
export default function setUp(): () => void {
  makeTemporaryRoot();
  // What a developer's shell says of AWS and of proxies; each test sets what it needs.
  for (const name of Object.keys(process.env))
    if (/^(AWS_|NODE_USE_ENV_PROXY$)|_PROXY$/i.test(name)) delete process.env[name];
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) process.env[name] = devNull;
  return () => {
    const skipped = skippedTests();
    if (skipped.length > 0) process.stderr.write(`\n${skipped.join('\n')}\n`);
  };
}

/**
 * What `npm run lab -- emulator` runs: deploys both stages to LocalStack, and changes and destroys dev, with the commands of
 * the README. docs/decisions/0015 says what this can show. Needs Python 3.13 (`PYTHON` names another one) and PyPI.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { ROOT } from '../installation.ts';
import { startEmulator } from './emulator.ts';

const REGION = 'eu-west-1';
const folder = temporaryFolder();
const emulator = await startEmulator(folder);
process.on('exit', () => emulator.stop());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
Object.assign(process.env, {
  AWS_ENDPOINT_URL: emulator.endpoint,
  AWS_REGION: REGION,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
});

/** Runs a program of the project. @returns all that it printed @throws Error with its standard error, if it fails */
async function run(script: string, ...args: string[]): Promise<string> {
  const options = { cwd: ROOT, maxBuffer: 2 ** 26 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...args], options);
  return stdout + stderr;
}
const cdk = (...args: string[]) =>
  run('node_modules/aws-cdk/bin/cdk', ...args, '--output', path.join(folder, 'cdk.out'));
const deploy = (...args: string[]) => cdk('deploy', '--require-approval', 'never', ...args);
const token = (...args: string[]) => run('tools/token.ts', ...args);

const tables = async (stage: string) => {
  const { TableNames = [] } = await new DynamoDBClient().send(new ListTablesCommand());
  return TableNames.filter((name) => name.startsWith(`PlantStore-${stage}-`)).sort();
};
const types = async (stage: string) => {
  const describe = new DescribeStackResourcesCommand({ StackName: `PlantStore-${stage}` });
  const { StackResources = [] } = await new CloudFormationClient().send(describe);
  return StackResources.map(({ ResourceType }) => ResourceType);
};

function check(sentence: string, isTrue: boolean): void {
  console.info(`${isTrue ? '✓' : '✗'} ${sentence}`);
  if (!isTrue) process.exitCode = 1;
}

await run('node_modules/aws-cdk/bin/cdk', 'bootstrap', `aws://000000000000/${REGION}`);
const first = await deploy();
check('dev is deployed, and its outputs are printed', /PlantStore-dev\.BaseUrl = https:/.test(first));
const devTables = await tables('dev');
check('dev has two tables', devTables.length === 2);
check('a second deployment changes nothing', (await deploy()).includes('PlantStore-dev (no changes)'));
check('a token is issued for dev', /^plants_\w{49}$/m.test(await token('issue', 'first', '--stage', 'dev')));

check('before the change, dev has no subscription', !(await types('dev')).includes('AWS::SNS::Subscription'));
await deploy('-c', 'alarmEmail=operators@example.com');
check('the change adds a subscription', (await types('dev')).includes('AWS::SNS::Subscription'));
check('the change keeps the tables', String(await tables('dev')) === String(devTables));
check('the change keeps the token', /^first /m.test(await token('list', '--stage', 'dev')));

await deploy('-c', 'stage=prod');
check('prod is deployed beside dev', (await tables('prod')).length === 2);
check('a token of dev is not listed for prod', !/^first /m.test(await token('list', '--stage', 'prod')));
await cdk('destroy', '--force');
check('destroying dev removes its tables', (await tables('dev')).length === 0);
check('destroying dev keeps those of prod', (await tables('prod')).length === 2);
process.exit();

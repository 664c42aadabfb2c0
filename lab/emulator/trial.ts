import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DeleteFunctionCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import type { PrintedResult } from '../../commands/verify/verify-service.ts';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { contractViolations } from '../../contract/judge-response.ts';
import { type HttpResponse, sendHttp } from '../../contract/send-http.ts';
import { ERRORS } from '../../lambda/published-errors.ts';
import { ROOT } from '../../test/support/project.ts';
import { type Commands, commandsFor } from './commands.ts';

/** A statement about the stages, tested. */
export interface Statement {
  readonly name: string;
  readonly holds: boolean;
  /** Why it does not hold. */
  readonly reason?: string | undefined;
  /** Whether it is a rule of the contract, of which there are too many to be printed one by one. */
  readonly isRule?: true;
}

const statement = (name: string, holds: boolean, reason?: string): Statement => ({ name, holds, reason });

/** The stage to which the plants of dev are copied: a developer's, which needs no entry in the stage file. */
const COPY = 'dev-trial';

/** Plants that `verify --write` leaves in dev, as the export writes them. A double would round their ids. */
const DELETED = '9007199254740993';
const EDGES = ['9223372036854775807', '-9223372036854775808', DELETED].map((id) => bodyOf(id, WHOLE));

/**
 * Deploys, uses, changes and destroys stages, with the project's commands.
 * @param folder for exported files, and a copy of the project
 * @returns each statement when it is tested
 * @throws Error with the output of a command that must not fail
 */
export async function* trial(commands: Commands, folder: string): AsyncGenerator<Statement> {
  const dev = await commands.deploy('dev', ['--first']);
  yield statement('deploy: dev prints its address', baseUrlOf(dev) !== '');
  yield statement('deploy: the last lines name the version', isServed.test(dev), dev.slice(-500));
  const again = await commands.deploy('dev', []);
  yield statement('deploy: a second deployment changes nothing', again.includes('(no changes)'));
  await commands.issue('first', 'dev');
  yield statement('token: one is issued for dev', await hasToken(commands, 'dev'));

  yield* verify(commands);
  // Before another stage sets the account's role for the gateways' logs.
  yield* examine(commands);
  const url = baseUrlOf(await commands.deploy(COPY, ['--first']));
  yield* copyPlants(commands, url, folder);
  yield* overrun(url);
  yield* changeCode(commands, folder);
  yield* changeDev(commands);
  yield* destroyDev(commands);
  yield* loseFunction(url);
}

const isServed = /^PlantStore-dev is served by version 1 \(100 %\)\.\nNext: npm run verify -- --stage dev\n/m;

function baseUrlOf(output: string): string {
  return /\.BaseUrl = (https:\S+)/.exec(output)?.[1] ?? '';
}

/** Each rule of the contract is a statement; so is each reason for which rules are not judged. */
async function* verify(commands: Commands): AsyncGenerator<Statement> {
  const { stdout, stderr } = await commands.run('commands/verify.ts', [
    '--stage',
    'dev',
    '--write',
    '--json',
  ]);
  if (stdout === '') throw new Error(`verify has no results: ${stderr}`);
  const results: PrintedResult[] = JSON.parse(stdout).results;
  const unjudged = new Set<string>();
  for (const { group, rule, verdict, reasons } of results) {
    const reason = reasons.join('; ');
    if (verdict === 'not judged') unjudged.add(reason);
    else yield { ...statement(`verify: ${group}: ${rule}`, verdict === 'held', reason), isRule: true };
  }
  for (const reason of unjudged) yield statement(`verify: not judged: ${reason}`, false);
}

/** Copies the plants of dev to another stage: exports them, imports them, and exports that stage. */
async function* copyPlants(commands: Commands, url: string, folder: string): AsyncGenerator<Statement> {
  const exported = async (stage: string) => {
    const { code, stdout, stderr } = await commands.run('commands/plants.ts', ['export', '--stage', stage]);
    if (code !== 0) throw new Error(stderr);
    return stdout.trim().split('\n').sort();
  };
  const plants = await exported('dev');
  const hasEdges = EDGES.every((line) => plants.includes(line));
  yield statement('export: the ids at the limits of int64 and beyond 2^53 keep all digits', hasEdges);
  const token = await commands.issue('import', COPY);
  const file = path.join(folder, 'dev.ndjson');
  writeFileSync(file, `${plants.join('\n')}\n`);
  // Each request in flight needs a process of its own.
  const args = [file, '--url', url, '--parallel', '8'];
  const { code, stdout, stderr } = await commands.run('commands/import.ts', args, token);
  yield statement('import: every plant is stored', code === 0, stdout + stderr);
  const holds = same(await exported(COPY), plants);
  yield statement('export: the plants are the same after an import', holds);
  await commands.mustRun('commands/plants.ts', ['delete', DELETED, '--yes', '--stage', COPY]);
  const rest = plants.filter((line) => !line.startsWith(`{"id":${DELETED},`));
  yield statement('delete: only that plant is gone', same(await exported(COPY), rest));
}

function same(lines: readonly string[], others: readonly string[]): boolean {
  return lines.length > EDGES.length && lines.join('\n') === others.join('\n');
}

/** Each line of the doctor is a statement. */
async function* examine(commands: Commands): AsyncGenerator<Statement> {
  const { stdout } = await commands.run('commands/doctor.ts', ['--stage', 'dev']);
  const lines = stdout.matchAll(/^(same|differs|seen|not read) +(\S+(?: \S+)*) {2,}(.*)$/gm);
  for (const [, mark = '', name, reason = ''] of lines)
    yield statement(`doctor: ${name}`, /^s/.test(mark), `${mark}: ${reason}`);
}

async function* changeDev(commands: Commands): AsyncGenerator<Statement> {
  const before = await tables('dev');
  const changed = await commands.deploy('dev', [], ['-c', 'alarmEmail=operators@example.com']);
  const isAsBefore = changed.includes(', as before.\nNext: npm run verify');
  yield statement('change: the version is as before', isAsBefore);
  yield statement('change: keeps the tables', String(await tables('dev')) === String(before));
  yield statement('change: keeps the token', await hasToken(commands, 'dev'));
  const { code, stdout, stderr } = await commands.tryToDeploy('dev', []);
  const holds = code === 1 && stdout.endsWith('Nothing was deployed.\n');
  yield statement('change: what removes the subscription is refused', holds, stdout + stderr);
}

/** Sends more requests at once than the throttle of dev and its like lets through. */
async function* overrun(url: string): AsyncGenerator<Statement> {
  const responses = await Promise.all(Array.from({ length: 200 }, () => sendHttp(url, {})));
  const errors = new Set(responses.map(({ body }) => JSON.parse(body).error));
  const reason = [...errors].join(', ');
  yield statement('throttle: some of 200 requests get 42901', errors.delete(42901), reason);
  const isOnly40101 = [...errors].join() === '40101';
  yield statement('throttle: the others get the 40101 of the function', isOnly40101, reason);
  yield conforms('throttle: each response is one of the contract', responses);
}

/** Deploys a copy of the project with another message of 40101, and then the project itself again. */
async function* changeCode(commands: Commands, folder: string): AsyncGenerator<Statement> {
  const copy = path.join(folder, 'copy');
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  for (const file of files.filter(Boolean)) cpSync(path.join(ROOT, file), path.join(copy, file));
  // The guard asks whether the working copy has the commit that is deployed.
  cpSync(path.join(ROOT, '.git'), path.join(copy, '.git'), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  const errors = path.join(copy, 'lambda/published-errors.ts');
  writeFileSync(errors, readFileSync(errors, 'utf8').replace(ERRORS.NO_TOKEN.message, 'Changed.'));
  const before = await tables('dev');
  for (const [project, version, message] of [
    [commandsFor(folder, copy), '2', 'Changed.'],
    [commands, '3', ERRORS.NO_TOKEN.message],
  ] as const) {
    const output = await project.deploy('dev', []);
    const served = output.includes(`PlantStore-dev is served by version ${version} (100 %)`);
    yield statement(`code: version ${version} serves`, served, output.slice(-500));
    const { body } = await sendHttp(baseUrlOf(output), {});
    yield statement(`code: version ${version} has its code`, body.includes(message), body);
  }
  yield statement('code: keeps the tables', String(await tables('dev')) === String(before));
  yield statement('code: keeps the token', await hasToken(commands, 'dev'));
}

/** Deletes the function of the copied stage, whose gateway then responds for it. */
async function* loseFunction(url: string): AsyncGenerator<Statement> {
  const lambda = new LambdaClient();
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand());
  const FunctionName = Functions.find(({ FunctionName: name }) => name?.includes(COPY))?.FunctionName;
  await lambda.send(new DeleteFunctionCommand({ FunctionName }));
  yield conforms('lost function: the response is one of the contract', [await sendHttp(url, {})]);
}

/** That no response violates the contract. */
function conforms(name: string, responses: readonly HttpResponse[]): Statement {
  const faults = responses.flatMap((response) =>
    contractViolations(response).map(({ sentence }) => `${sentence}: ${response.body}`),
  );
  return statement(name, faults.length === 0, faults[0]);
}

async function* destroyDev(commands: Commands): AsyncGenerator<Statement> {
  await commands.deploy('prod', ['--first']);
  yield statement('deploy: prod has two tables', (await tables('prod')).length === 2);
  yield statement('token: one of dev is not listed for prod', !(await hasToken(commands, 'prod')));
  await commands.cdk('destroy', '--force');
  yield statement('destroy: removes the tables of dev', (await tables('dev')).length === 0);
  for (const stage of [COPY, 'prod'])
    yield statement(`destroy: keeps those of ${stage}`, (await tables(stage)).length === 2);
}

async function tables(stage: string): Promise<string[]> {
  const { TableNames = [] } = await new DynamoDBClient().send(new ListTablesCommand());
  return TableNames.filter((name) => RegExp(`^PlantStore-${stage}-[A-Z]`).test(name)).sort();
}

async function hasToken(commands: Commands, stage: string): Promise<boolean> {
  return /^first /m.test(await commands.mustRun('commands/token.ts', ['list', '--stage', stage]));
}

/** For tests: a service with another model than ours, in a folder of its own. */
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { CONTRACT } from '../../commands/generate/contract-value.ts';
import { ROOT } from '../../test/support/project.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { planCopy } from './plan.ts';
import { HOUSE } from './test-house.ts';
import { writeTree } from './tree.ts';

/** Where a list of them ends, or goes on, in the contract. */
const REQUIRED = /(?<= {4}NewPlant:\n(?: {5,}.*\n)*? {8}- id\n)/;
const PROPERTIES = /^(?= {4}Error:$)/m;

/** The options of a process in a copy. @param token for commands that send requests */
const optionsIn = (cwd: string, token = '') => ({
  cwd,
  encoding: 'utf8' as const,
  env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: undefined, PLANT_STORE_TOKEN: token },
});

/**
 * Makes a copy with some parts and operations, whose plants have more properties. What follows from the model is not made yet.
 * @returns its folder, and what runs a program of Node in it
 */
export function modelCopy(
  parts: readonly string[],
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
) {
  const folder = temporaryFolder();
  const tree = planCopy(HOUSE, parts);
  const lines = (texts: readonly string[]) => texts.map((text) => `        ${text}\n`).join('');
  const inYaml = Object.entries(properties).map((each) =>
    each.map((part) => JSON.stringify(part)).join(': '),
  );
  const contract = String(tree.get(CONTRACT))
    .replace(REQUIRED, () => lines(required.map((name) => `- ${JSON.stringify(name)}`)))
    .replace(PROPERTIES, () => lines(inYaml));
  writeTree(folder, tree.set(CONTRACT, contract));
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  const run = (words: readonly string[], token?: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, words, optionsIn(folder, token));
    return { status, said: `${stdout}${stderr}` };
  };
  return { folder, run };
}

/** Starts the service of a copy. @returns its address, its token, its data folder, and what ends it */
export async function startIn(folder: string) {
  const data = path.join(folder, 'data');
  const words = ['local/start.ts', '--port', '0', '--data', data];
  // It ends with this process.
  const service = spawn(process.execPath, words, {
    ...optionsIn(folder),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const read = (name: string) => fs.readFileSync(path.join(data, name), 'utf8');
  for await (const _ of service.stdout ?? []) if (fs.existsSync(path.join(data, 'url'))) break;
  return { url: read('url'), token: read('token'), data, end: () => service.kill() };
}

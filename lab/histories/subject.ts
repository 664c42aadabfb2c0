import path from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import type { createPlantStore } from '../../client/src/index.ts';
import { TARGET } from '../../infra/bundle.ts';
import { leanSdk } from '../../infra/lean-sdk.ts';
import type { createPlant } from '../../lambda/create-plant.ts';
import type { makeHandler } from '../../lambda/envelope.ts';
import type { Failure } from '../../lambda/errors.ts';
import type { AccessTokenTable } from '../../lambda/store/access-token-table.ts';
import type { PlantTable } from '../../lambda/store/plant-table.ts';
import type { documentClient } from '../../lambda/store/store.ts';
import { globalsOf, type Machine } from './machine.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const SOURCES = [
  'lambda/create-plant.ts',
  'lambda/envelope.ts',
  'lambda/errors.ts',
  'lambda/store/access-token-table.ts',
  'lambda/store/plant-table.ts',
  'lambda/store/store.ts',
  'client/src/index.ts',
];

/** The service's own code: the function's parts and the client, which know no time but that of a {@link Machine}. */
export interface Subject {
  readonly createPlant: typeof createPlant;
  readonly makeHandler: typeof makeHandler;
  readonly Failure: typeof Failure;
  readonly AccessTokenTable: typeof AccessTokenTable;
  readonly PlantTable: typeof PlantTable;
  readonly createPlantStore: typeof createPlantStore;
  /** The client of a copy for its store. It remembers nothing of earlier requests, so later histories use it again. */
  clientOf(copy: string): ReturnType<typeof documentClient>;
  /** Replaces the machine from now on. */
  moveTo(machine: Machine): void;
}

/** Function and client, built from their sources as `infra/bundle.ts` does, once. */
let built: Promise<string> | undefined;

async function buildSources(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    stdin: { contents: SOURCES.map((file) => `export * from './${file}';`).join('\n'), resolveDir: ROOT },
    write: false,
    format: 'cjs',
    bundle: true,
    platform: 'node',
    target: TARGET,
    mainFields: ['module', 'main'],
    plugins: [leanSdk()],
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

/** Loads function and client anew. */
export async function loadSubject(): Promise<Subject> {
  built ??= buildSources();
  const code = await built;
  let machine: Machine | undefined;
  const scope = { module: { exports: {} }, ...globalsOf(() => machine as Machine) };
  compileFunction(code, Object.keys(scope), { filename: 'histories.cjs' })(...Object.values(scope));
  const moveTo = (next: Machine) => {
    machine = next;
  };
  const service = scope.module.exports as Omit<Subject, 'moveTo' | 'clientOf'> & {
    documentClient: typeof documentClient;
  };
  const clients = new Map<string, ReturnType<typeof documentClient>>();
  const clientOf = (copy: string) => {
    const client =
      clients.get(copy) ?? service.documentClient({ AWS_ENDPOINT_URL_DYNAMODB: `http://${copy}` });
    // A third of the time, and the simulated store reads no signature.
    client.config.signer = async () => ({ sign: async (request) => request });
    clients.set(copy, client);
    return client;
  };
  return { ...service, clientOf, moveTo };
}

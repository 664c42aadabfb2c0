import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import type { createPlantStore } from '../../client/src/index.ts';
import { TARGET } from '../../infra/bundle.ts';
import { leanSdk } from '../../infra/lean-sdk.ts';
import type { createPlantHandler } from '../../lambda/create-plant.ts';
import type { AccessTokenTable } from '../../lambda/store/access-token-table.ts';
import type { PlantTable } from '../../lambda/store/plant-table.ts';
import type { documentClient } from '../../lambda/store/store.ts';
import { globalsOf, type Machine } from './machine.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const SOURCES = [
  'lambda/create-plant.ts',
  'lambda/store/access-token-table.ts',
  'lambda/store/plant-table.ts',
  'lambda/store/store.ts',
  'client/src/index.ts',
];

/** A change of the sources, to see whether the histories find it. */
export interface Variant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The service's own code: the function's parts and the client, which know no time but that of a {@link Machine}. */
export interface Subject {
  readonly createPlantHandler: typeof createPlantHandler;
  readonly AccessTokenTable: typeof AccessTokenTable;
  readonly PlantTable: typeof PlantTable;
  readonly createPlantStore: typeof createPlantStore;
  /** The client of a copy for its store. It remembers nothing of earlier requests, so later histories use it again. */
  clientOf(copy: string): ReturnType<typeof documentClient>;
  /** Replaces the machine from now on. */
  moveTo(machine: Machine): void;
}

/**
 * Builds function and client from their sources, as `infra/bundle.ts` does.
 * @throws Error if a variant's text is not exactly once in its file
 */
export async function loadSubject(variant?: Variant): Promise<Subject> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    stdin: {
      contents: SOURCES.map((file) => `export * from './${file}';`).join('\n'),
      resolveDir: ROOT,
    },
    write: false,
    format: 'cjs',
    bundle: true,
    platform: 'node',
    target: TARGET,
    mainFields: ['module', 'main'],
    plugins: [leanSdk(), ...(variant ? [changed(variant)] : [])],
    logLevel: 'warning',
  });
  let machine: Machine | undefined;
  const scope = { module: { exports: {} }, ...globalsOf(() => machine as Machine) };
  compileFunction(outputFiles[0]?.text ?? '', Object.keys(scope), { filename: 'histories.cjs' })(
    ...Object.values(scope),
  );
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

function changed({ name, file, from, to }: Variant): Plugin {
  const setup: Plugin['setup'] = ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path: loaded }) => {
      if (path.relative(ROOT, loaded) !== path.normalize(file)) return undefined;
      const parts = (await readFile(loaded, 'utf8')).split(from);
      if (parts.length !== 2) throw new Error(`${file} has the text of "${name}" ${parts.length - 1} times.`);
      return { contents: parts.join(to), loader: 'ts' };
    });
  return { name, setup };
}

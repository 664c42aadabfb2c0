import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import type { createPlantStore } from '../../client/src/index.ts';
import { leanSdk } from '../../infra/lean-sdk.ts';
import type { createPlantHandler } from '../../lambda/create-plant.ts';
import type { AccessTokenTable } from '../../lambda/store/access-token-table.ts';
import type { PlantTable } from '../../lambda/store/plant-table.ts';
import type { documentClient } from '../../lambda/store/store.ts';
import type { Clock } from '../support/clock.ts';

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

/** What the function and the client have instead of a machine. */
export interface Machine {
  readonly clock: Clock;
  /** Replaces `Math.random`. */
  readonly random: () => number;
  /** Replaces `http.request`, the function's only way out. */
  readonly request: (options: http.RequestOptions) => unknown;
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

/** The time at which every history starts, in milliseconds since the epoch. */
export const EPOCH = Date.UTC(2026, 0, 1);

/**
 * Builds function and client from their sources, as `infra/bundle.ts` does.
 * @throws Error if a variant's text is not exactly once in its file
 */
export async function loadSubject(variant?: Variant): Promise<Subject> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    stdin: { contents: SOURCES.map((file) => `export * from './${file}';`).join('\n'), resolveDir: ROOT },
    write: false,
    format: 'cjs',
    bundle: true,
    platform: 'node',
    target: 'node24',
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

/** The globals and the built-in modules that have to do with time, chance or the network. */
function globalsOf(machine: () => Machine) {
  const timers = {
    setTimeout: (run: () => void, ms?: number) => machine().clock.setTimeout(run, ms),
    clearTimeout: (timer: object) => machine().clock.clearTimeout(timer),
  };
  const now = () => machine().clock.now;
  class VirtualDate extends Date {
    constructor(...values: []) {
      super(...(values.length > 0 ? values : ([EPOCH + now()] as unknown as [])));
    }
    static override now = () => EPOCH + now();
  }
  const web = { Agent: http.Agent, request: (options: http.RequestOptions) => machine().request(options) };
  const modules: Record<string, unknown> = {
    timers,
    'timers/promises': {
      setTimeout: (ms: number, value: unknown, options?: { signal?: AbortSignal }) =>
        sleep(timers, ms, options?.signal).then(() => value),
    },
    http: web,
    https: web,
  };
  const real = createRequire(import.meta.url);
  return {
    ...timers,
    Date: VirtualDate,
    Math: Object.create(Math, { random: { value: () => machine().random() } }) as Math,
    performance: { now },
    require: (name: string) => modules[name.replace('node:', '')] ?? real(name),
  };
}

function sleep(
  timers: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
  ms: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = timers.setTimeout(() => resolve(), ms);
    signal?.addEventListener('abort', () => {
      timers.clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

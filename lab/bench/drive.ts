import { join } from 'node:path';
import { lambdaFlags, lambdaVariables } from '../../.ci/runtime/lambda-environment.ts';
import { reportOf } from '../process.ts';
import type { Report, Step } from './runtime/main.ts';

/** The bundled runtime, and the store's certificate, as PEM, and port. */
export interface Bench {
  readonly runtime: string;
  readonly certificate: string;
  readonly port: string;
}

/** How Lambda starts Node: `plain`, with all of its flags; `script`, through {@link START_SCRIPT}. */
export type Start = 'plain' | 'script';

/** How to run a process: the requests after the first one, and the program to run Node under. */
interface RunOptions {
  /** Through the script if absent. */
  readonly start?: Start;
  readonly steps?: readonly Step[];
  /** A program with its arguments, such as valgrind. */
  readonly prefix?: readonly string[];
  /** More flags for Node. */
  readonly flags?: readonly string[];
  /** The factor for the duration of timers. */
  readonly stretch?: number;
}

/** The deployed start script, which passes on every flag but `--expose-gc`. */
const START_SCRIPT = join(import.meta.dirname, '../../lambda/start-script.sh');

/** In megabytes; that of the stack when the published figures were measured. */
const MEMORY_SIZE = 512;

/**
 * Runs a bundle in a new process: one accepted request, then the steps.
 * @throws Error if the first response is not 200, or the process fails
 */
export async function run(bench: Bench, file: string, options: RunOptions = {}): Promise<Report> {
  const { start = 'script', steps = [], prefix = [], flags = [], stretch = 1 } = options;
  // AWS's bootstrap starts the script with the path of Node and its arguments.
  const node = [...prefix, process.execPath, ...lambdaFlags(MEMORY_SIZE), ...flags];
  const started = start === 'script' ? [START_SCRIPT, ...node] : node;
  const { runtime, port, certificate } = bench;
  const plan = [runtime, file, port, certificate, String(stretch), JSON.stringify(steps)];
  const report = await reportOf<Report>([...started, ...plan], {
    // Without this machine's own: no home folder, no endpoint.
    env: {
      ...lambdaVariables(MEMORY_SIZE),
      PATH: '/usr/bin:/bin',
      _X_AMZN_TRACE_ID: 'Root=1-67891233-abcdef012345678912345678;Parent=53995c3f42cd8ad8;Sampled=0',
      PLANTS_TABLE: 'Plants',
      ACCESS_TOKENS_TABLE: 'AccessTokens',
    },
  });
  if (report.first.statusCode !== 200) throw new Error(`${file}: ${JSON.stringify(report.first)}`);
  return report;
}

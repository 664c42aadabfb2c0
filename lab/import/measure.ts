import { readFileSync } from 'node:fs';
import path from 'node:path';
import { formatToken } from '../../lambda/tokens/token-format.ts';
import { reportOf } from '../process.ts';

/** The service, and the plants to send to it. */
interface Trial {
  readonly url: string;
  readonly file: string;
  readonly plants: number;
}

/** What a process has used; meter.mjs writes it. */
interface Used {
  /** Seconds of CPU, in all threads. */
  readonly cpu: number;
  /** Megabytes: the most that were resident. */
  readonly peak: number;
}

/** What was measured of one process, from its start to its end. */
export interface Figures extends Used {
  /** Plants a second. */
  readonly rate: number;
}

const METER = ['--import', path.join(import.meta.dirname, 'meter.mjs')];
/** The stub looks at no token. */
const TOKEN = formatToken(new Uint8Array(32));

/** Measures the import of a checkout, with the Node and the flags of its `npm run import`. @throws Error unless it exits with 0 */
export async function measureImport(trial: Trial, checkout: string, inFlight: number): Promise<Figures> {
  const { scripts } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8'));
  const [, ...script] = scripts.import.split(' ');
  const args = [...script, trial.file, '--url', trial.url, '--parallel', String(inFlight)];
  return measure(trial, [path.join(checkout, 'node_modules/.bin/node'), ...METER, ...args], checkout);
}

/** Measures autocannon, installed in a folder, with as many requests of one plant. @throws Error unless it exits with 0 */
export async function measureAutocannon(trial: Trial, folder: string, inFlight: number): Promise<Figures> {
  const script = path.join(folder, 'node_modules/autocannon/autocannon.js');
  const headers = ['-H', `authorization=Bearer ${TOKEN}`, '-H', 'content-type=application/json'];
  const [body = ''] = readFileSync(trial.file, 'utf8').split('\n', 1);
  const load = ['-c', String(inFlight), '-a', String(trial.plants), '-m', 'POST', ...headers, '-b', body];
  const args = [script, ...load, `${trial.url}/plants`];
  return measure(trial, [process.execPath, ...METER, ...args], folder);
}

async function measure({ plants }: Trial, command: readonly string[], cwd: string): Promise<Figures> {
  const start = performance.now();
  const env = { PATH: '/usr/bin:/bin', PLANT_STORE_TOKEN: TOKEN };
  const used = await reportOf<Used>(command, { cwd, env });
  return { ...used, rate: (plants * 1000) / (performance.now() - start) };
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { formatToken } from '../../../lambda/tokens/token-format.ts';
import { reportOf } from '../../process.ts';

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

const METER = path.join(import.meta.dirname, 'meter.mjs');
/** The stub looks at no token. */
const TOKEN = formatToken(new Uint8Array(32));

/** Measures the import of a checkout, with the Node and the flags of its `npm run import`. @throws Error unless it exits with 0 */
export async function measureImport(
  { url, file, plants }: Trial,
  checkout: string,
  inFlight: number,
): Promise<Figures> {
  const { scripts } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8'));
  const [, ...script] = scripts.import.split(' ');
  const node = path.join(checkout, 'node_modules/.bin/node');
  const args = [...script, file, '--url', url, '--parallel', String(inFlight)];
  const env = { PATH: '/usr/bin:/bin', PLANT_STORE_TOKEN: TOKEN };
  const start = performance.now();
  const used = await reportOf<Used>([node, '--import', METER, ...args], { cwd: checkout, env });
  return { ...used, rate: (plants * 1000) / (performance.now() - start) };
}

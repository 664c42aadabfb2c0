import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { print } from '../../cli/print.ts';
import { type Behavior, HALF, refusal, startScriptedService } from '../../client/test/scripted-service.ts';
import { blocksOf } from '../../test/documents/documents.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { shell } from '../process.ts';

/** The programs of one language; recipes.yaml explains the fields. */
interface Folder {
  readonly folder: string;
  readonly build: string;
  readonly page?: { readonly document: string; readonly language: string; readonly files: readonly string[] };
  readonly programs: readonly {
    readonly library: string;
    readonly page?: true;
    readonly run: string;
    readonly cannot?: string[];
  }[];
}

const HERE = path.join(import.meta.dirname, 'retries');
const FOLDERS: readonly Folder[] = parse(readFileSync(path.join(HERE, 'recipes.yaml'), 'utf8'));
/** The method, path, token and type of each request, and the id, which no double can hold. */
const RIGHT = 'POST,/plants,Bearer plants_abc,application/json,9007199254740993';
/** Timers may fire a little early. */
const TOLERANCE_MS = 10;

/** What the service does, one behavior for each request, and what differs from a plant that is created by the last of them. */
interface Plan {
  readonly script: readonly Behavior[];
  /** How many requests it must get. */
  readonly attempts?: number;
  /** What the program must print. */
  readonly prints?: string;
  /** How long the last pause must be, in seconds. */
  readonly lastPause?: number;
}

const retryable = (error: number, seconds: number) => refusal(error, { 'retry-after': String(seconds) });
const foreign = (status: number, headers = {}) => ({
  status,
  body: '<html>',
  headers: { 'content-type': 'text/html', ...headers },
});
const created = (body: string) => ({ status: 200, body });
const FERN = created('{"name":"Fern"}');
const FOR_EVER = { script: [retryable(50401, 1)], attempts: 5, prints: '50401' };

const PLANS: Readonly<Record<string, Plan>> = {
  // 3 s are more than any library waits by itself.
  '42901, 200': { script: [retryable(42901, 3), FERN] },
  '50401, 50301, 200': { script: [retryable(50401, 2), retryable(50301, 2), FERN] },
  '40001': { script: [refusal(40001)], prints: '40001' },
  '40901': { script: [refusal(40901)], prints: '40901' },
  'no response, 200': { script: ['reset', FERN] },
  'half a response, 200': { script: [{ ...HALF, ending: 'breaks' }, FERN] },
  'a body that stalls, 200': { script: [{ ...HALF, ending: 'stalls' }, FERN] },
  '502 of a proxy, 200': { script: [foreign(502), FERN] },
  '50401 for ever': FOR_EVER,
  'longer and longer pauses': { ...FOR_EVER, lastPause: 4 },
};

/** Those of the fourth rule of docs/clients.md, for the programs of the page. */
const FOREIGN: Readonly<Record<string, Plan>> = {
  '302 of a proxy': { script: [foreign(302, { location: '/other' })], prints: '40000' },
  '400 of a proxy': { script: [foreign(400)], prints: '40000' },
  '413 of a proxy': { script: [foreign(413)], prints: '41301' },
  '429 of a proxy, 200': { script: [foreign(429), FERN] },
  '413 with Retry-After: 0, 200': { script: [foreign(413, { 'retry-after': '0' }), FERN] },
  '200 of a proxy, 200': { script: [foreign(200), FERN] },
  '201 of a proxy, 200': { script: [foreign(201), FERN] },
  '{}, 200': { script: [created('{}'), FERN] },
  'another plant, 200': { script: [created('{"name":"Moss"}'), FERN] },
  'another tag, 200': { script: [created('{"name":"Fern","tag":""}'), FERN] },
  'a body that drips, 200': { script: [{ ...HALF, ending: 'drips' }, FERN] },
  'a 400 that breaks, 200': { script: [{ ...foreign(400), ending: 'breaks' }, FERN] },
  'a 503 that breaks, with Retry-After, 200': {
    script: [{ ...foreign(503, { 'retry-after': '4' }), ending: 'breaks' }, FERN],
    lastPause: 4,
  },
  '400 that lost its body, 200': { script: [foreign(400, { 'retry-after': '2' }), FERN] },
  'a 400 that stalls, 200': { script: [{ ...foreign(400), ending: 'stalls' }, FERN] },
};

/** A trial for each language. */
export const RETRY_TRIALS = FOLDERS.map((folder) => ({
  name: `retries/${folder.folder}`,
  about: 'retries, as docs/clients.md says',
  run: async () => print(`  ${await tryPrograms(folder)}`),
}));

/**
 * Builds the programs of a language, and lets each of them follow every plan.
 * @returns a line for each program
 * @throws Error if a program cannot be built, or one does not do what recipes.yaml says
 */
async function tryPrograms({ folder: language, build, page, programs }: Folder): Promise<string> {
  const folder = temporaryFolder();
  cpSync(path.join(HERE, language), folder, { recursive: true });
  const blocks = page === undefined ? [] : blocksOf(page.document, page.language);
  for (const [n, file] of page?.files.entries() ?? [])
    writeFileSync(path.join(folder, file), blocks[n] ?? '');
  await shell(build, { cwd: folder });

  const lines: string[] = [];
  let isAsSaid = true;
  for (const { library, page: isOfPage, run, cannot = [] } of programs) {
    const plans = Object.entries({ ...PLANS, ...(isOfPage && FOREIGN) });
    const names = plans.map(([name]) => name);
    const problems = await Promise.all(plans.map(([, plan]) => follow(plan, run, folder)));
    const failed = names.filter((_, n) => problems[n] !== undefined);
    lines.push(`${library}: ${failed.length === 0 ? 'all plans' : `all plans but: ${failed.join('; ')}`}`);
    if (failed.join() === cannot.join()) continue;
    isAsSaid = false;
    lines.push(`  recipes.yaml says, all but: ${cannot.join('; ')}`);
    lines.push(...failed.map((name) => `  ${name}: ${problems[names.indexOf(name)]}`));
  }
  const result = lines.join('\n  ');
  if (!isAsSaid) throw new Error(result);
  return result;
}

/** Runs a program against a service that follows a plan. @returns what is wrong, if something is */
async function follow(plan: Plan, run: string, folder: string): Promise<string | undefined> {
  const { script, attempts = script.length, prints = 'Fern', lastPause } = plan;
  const { url, requests, close } = await startScriptedService(...script);
  const env = { BASE_URL: url, PLANT_STORE_TOKEN: 'plants_abc' };
  const printed = await shell(`timeout 120 ${run}`, { cwd: folder, env }).catch(
    ({ message }: Error) => message,
  );
  await close();
  const pauses = requests.slice(1).map(({ at }, n) => at - (requests[n]?.at ?? 0));
  const least = pauses.map((_, n) => secondsOf(script[Math.min(n, script.length - 1)]));
  if (lastPause !== undefined) least[attempts - 2] = lastPause;
  const early = pauses.filter((ms, n) => ms + TOLERANCE_MS < 1000 * (least[n] ?? 0));
  const problems = [
    requests.length !== attempts && `${requests.length} requests, not ${attempts}`,
    // The programs of the page print a message, too.
    printed.trim().split(':')[0] !== prints && `it ends with ${JSON.stringify(printed.slice(-200))}`,
    !requests.every(isRight) && 'a request is wrong',
    new Set(requests.map(({ body }) => body)).size > 1 && 'the bodies differ',
    early.length > 0 && `it waited only ${early.map(Math.round).join(', ')} ms`,
  ].filter(Boolean);
  return problems.length === 0 ? undefined : problems.join('; ');
}

type Received = Awaited<ReturnType<typeof startScriptedService>>['requests'][number];

/** Whether a request creates the plant, with the digits of its id and with the token. */
function isRight({ method, url, headers, body }: Received): boolean {
  const { id } = JSON.parse(body, (key, value, { source } = {}) => (key === 'id' ? source : value));
  const type = headers['content-type']?.split(';')[0];
  return [method, url, headers.authorization, type, id].join() === RIGHT;
}

function secondsOf(behavior: Behavior | undefined): number {
  return typeof behavior === 'object' ? Number(behavior.headers?.['retry-after'] ?? 0) : 0;
}

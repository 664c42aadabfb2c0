import * as z from 'zod';
import { PlainError } from '../../terminal/plain-error.ts';

const TIME_LIMIT_MS = 10_000;

const address = z.url({ protocol: /^https?$/ });
const variables = z.object({
  /** The addresses of GitHub's REST and GraphQL APIs, such as `https://api.github.com`. */
  GITHUB_API_URL: address,
  GITHUB_GRAPHQL_URL: address,
  GH_TOKEN: z.string().min(1),
  /** Owner and name of the repository, such as `octo/plants`. */
  GITHUB_REPOSITORY: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  /** The commit that the run is for. */
  GITHUB_SHA: z.string().regex(/^[0-9a-f]{40,64}$/),
});

/** A run of the workflow on GitHub: the variables that GitHub sets for each step, and `GH_TOKEN`, which the workflow sets. */
export type Run = Readonly<z.infer<typeof variables>>;

/** @throws PlainError with the names of the variables that are missing or invalid */
export function currentRun(env: NodeJS.ProcessEnv): Run {
  const { data, error } = variables.safeParse(env);
  if (data) return data;
  const names = error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new PlainError(`This needs a run of the workflow on GitHub; missing or invalid: ${names}.`);
}

/**
 * Asks GitHub's REST API about the repository.
 * @param path below the repository, such as `/environments/prod`
 * @param shape of the answer
 * @throws PlainError if GitHub refuses, answers in another shape, or not within 10 s
 */
export function ask<Shape extends z.ZodType>(run: Run, path: string, shape: Shape): Promise<z.infer<Shape>> {
  return send(run, `${run.GITHUB_API_URL}/repos/${run.GITHUB_REPOSITORY}${path}`, path, shape);
}

/**
 * Asks GitHub's GraphQL API.
 * @param name of what is asked, for the error
 * @throws PlainError as {@link ask} does; an answer with errors has no data, so it has another shape
 */
export function query<Shape extends z.ZodType>(
  run: Run,
  name: string,
  body: { readonly query: string; readonly variables: Readonly<Record<string, string>> },
  shape: Shape,
): Promise<z.infer<Shape>> {
  return send(run, run.GITHUB_GRAPHQL_URL, name, shape, JSON.stringify(body));
}

async function send<Shape extends z.ZodType>(
  { GH_TOKEN }: Run,
  url: string,
  name: string,
  shape: Shape,
  body?: string,
): Promise<z.infer<Shape>> {
  const failed = (reason: string) => new PlainError(`GitHub cannot be asked for ${name}: ${reason}.`);
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Accept: 'application/vnd.github+json', Authorization: `Bearer ${GH_TOKEN}` },
    body,
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  }).catch(({ message, cause }: Error) => {
    throw failed(cause instanceof Error ? cause.message : message);
  });
  const text = await response.text().catch(({ message }: Error) => {
    throw failed(message);
  });
  if (!response.ok) throw failed(`status ${response.status}: ${start(text)}`);
  const { data } = shape.safeParse(parsed(text));
  if (data === undefined) throw failed(`the answer is not the expected one: ${start(text)}`);
  return data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The start of an answer, in one line. */
const start = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200);

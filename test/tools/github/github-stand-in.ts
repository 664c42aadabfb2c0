import { createServer } from 'node:http';
import type { Run } from '../../../tools/github/repository.ts';
import { listen } from '../../support/listen.ts';

/** The commits of main, from the oldest to the newest: each is its place in all digits. The others are of a rewritten main. */
const MAIN = [0, 1, 2, 3, 4, 5].map(commitAt);
export const REWRITTEN = 15;

/** The commit at a place. */
export function commitAt(place: number): string {
  return place.toString(16).repeat(40);
}

/** A deployment: the place of its commit, and its statuses with the minutes of their times. */
export interface Deployed {
  readonly commit: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** What the repository octo/plants has. */
export interface Repository {
  /** The protection rules of the environment prod. */
  readonly rules?: readonly object[];
  /** The deployments to the environment prod, the newest first. */
  readonly deployed?: readonly Deployed[];
  /** Answers that take the place of the real ones, by the starts of their paths. */
  readonly broken?: Readonly<Record<string, { readonly status: number; readonly text: string }>>;
}

/** Starts a stand-in for GitHub's REST and GraphQL APIs with one repository, octo/plants, and a run for commit 3. */
export async function startGitHub({ rules, deployed = [], broken = {} }: Repository) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(`${method} ${url}`);
    const end = (status: number, text: string) => response.writeHead(status).end(text);
    const found = Object.entries(broken).find(([start]) => url.startsWith(start))?.[1];
    if (found) return end(found.status, found.text);
    if (headers.authorization !== 'Bearer ghs_secret') return end(401, '{"message":"Bad credentials"}');
    const answer = method === 'POST' ? ofDeployments(body, deployed) : ofRepository(url, rules);
    return answer ? end(200, JSON.stringify(answer)) : end(404, '{"message":"Not Found"}');
  });
  const address = await listen(server);
  const run: Run = {
    GITHUB_API_URL: address,
    GITHUB_GRAPHQL_URL: `${address}/graphql`,
    GITHUB_REPOSITORY: 'octo/plants',
    GITHUB_SHA: commitAt(3),
    GH_TOKEN: 'ghs_secret',
  };
  return { run, asked, close: () => server.close() };
}

function ofRepository(url: string, rules: readonly object[] | undefined): object | undefined {
  if (url === '/repos/octo/plants/environments/prod') return { id: 1, name: 'prod', protection_rules: rules };
  const [, base = '', head = ''] = /^\/repos\/octo\/plants\/compare\/(\w+)\.\.\.(\w+)\?/.exec(url) ?? [];
  const [from, to] = [MAIN.indexOf(base), MAIN.indexOf(head)];
  if (head === '' || to === -1) return undefined;
  if (from === -1) return { status: 'diverged' };
  return { status: from < to ? 'ahead' : from > to ? 'behind' : 'identical' };
}

function ofDeployments(body: string, deployed: readonly Deployed[]): object {
  const { query, variables } = JSON.parse(body);
  const { owner, name, environment } = variables;
  if (!/^query \(.*deployments\(environments: \[\$environment\]/s.test(query))
    return { errors: [{ message: 'Parse error' }] };
  if (owner !== 'octo' || name !== 'plants') return { data: { repository: null } };
  const nodes = environment === 'prod' ? deployed : [];
  return {
    data: {
      repository: {
        deployments: {
          nodes: nodes.map(({ commit, statuses }, index) => ({
            databaseId: 100 - index,
            commitOid: commitAt(commit),
            statuses: {
              nodes: Object.entries(statuses).map(([state, minute]) => ({
                state,
                createdAt: `2026-11-22T10:${String(minute).padStart(2, '0')}:00Z`,
              })),
            },
          })),
        },
      },
    },
  };
}

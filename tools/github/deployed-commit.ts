import * as z from 'zod';
import { PlainError } from '../../terminal/plain-error.ts';
import { ask, query, type Run } from './repository.ts';

/** Enough: at most 100 jobs can wait in a queue and be overtaken by a later one (GitHub, "concurrency"). */
const DEPLOYMENTS = `query ($owner: String!, $name: String!, $environment: String!) {
  repository(owner: $owner, name: $name) {
    deployments(environments: [$environment], first: 100, orderBy: { field: CREATED_AT, direction: DESC }) {
      nodes { databaseId commitOid statuses(first: 20) { nodes { state createdAt } } }
    }
  }
}`;

const statuses = z.object({ nodes: z.array(z.object({ state: z.string(), createdAt: z.iso.datetime() })) });
const deployment = z.object({
  databaseId: z.number(),
  commitOid: z.string().regex(/^[0-9a-f]{40,64}$/),
  statuses: statuses.nullable(),
});
const answer = z.object({
  data: z.object({ repository: z.object({ deployments: z.object({ nodes: z.array(deployment) }) }) }),
});
/** GitHub REST API, "Compare two commits": the second one is `ahead` of the first, `behind`, `diverged` or `identical`. */
const comparison = z.object({ status: z.string() });

/** A job of an environment that has started. */
interface Started {
  readonly id: number;
  readonly commit: string;
  readonly at: string;
  readonly hasSucceeded: boolean;
}

/**
 * Refuses a commit that does not contain the deployed one. GitHub records a deployment for each job with an environment;
 * one that failed may have deployed too, so each since the last success counts. Needs `deployments: read`.
 * @param environment whose jobs run one after the other
 * @returns one line that says why the commit may be deployed
 * @throws PlainError if it may not, or GitHub does not say
 */
export async function checkCommit(run: Run, environment: string): Promise<string> {
  const { GITHUB_SHA: commit } = run;
  const started = await startedJobs(run, environment);
  const lastSuccess = started.findIndex(({ hasSucceeded }) => hasSucceeded);
  const others = (lastSuccess === -1 ? started : started.slice(0, lastSuccess + 1)).filter(
    (job) => job.commit !== commit,
  );
  for (const other of others) {
    const { status } = await ask(run, `/compare/${other.commit}...${commit}?per_page=1`, comparison);
    if (status === 'ahead') continue;
    throw new PlainError(
      `${short(commit)} does not contain ${short(other.commit)}, whose deployment to ${environment} began at ${other.at}. ` +
        `Deploy a newer commit. If main was rewritten, delete deployment ${other.id} (docs/first-deployment.md, step 22).`,
    );
  }
  const [last] = others;
  if (last === undefined) return `GitHub knows of no deployment of another commit to ${environment}.`;
  return `${short(commit)} contains ${short(last.commit)}, whose deployment to ${environment} began at ${last.at}.`;
}

/** The jobs that have started, the last one first. The others were rejected or cancelled, or still wait. */
async function startedJobs(run: Run, environment: string): Promise<Started[]> {
  const [owner = '', name = ''] = run.GITHUB_REPOSITORY.split('/');
  const variables = { owner, name, environment };
  const { data } = await query(run, 'the deployments', { query: DEPLOYMENTS, variables }, answer);
  return data.repository.deployments.nodes
    .flatMap(({ databaseId: id, commitOid: commit, statuses }) => {
      const begun =
        statuses?.nodes.filter(({ state }) => state === 'IN_PROGRESS' || state === 'SUCCESS') ?? [];
      const [at] = begun.map(({ createdAt }) => createdAt).sort();
      const hasSucceeded = begun.some(({ state }) => state === 'SUCCESS');
      return at === undefined ? [] : [{ id, commit, at, hasSucceeded }];
    })
    .sort((one, other) => other.at.localeCompare(one.at));
}

const short = (commit: string) => commit.slice(0, 7);

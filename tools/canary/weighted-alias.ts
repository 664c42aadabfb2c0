import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { createGateway } from '../../local/gateway.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { stack } from '../../test/support/aws-stand-in.ts';
import { listen } from '../../test/support/listen.ts';
import { temporaryFolder } from '../../test/support/local-process.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';

/** What CloudFormation returns about a stage at an address. */
export const deployedAt = (BaseUrl: string, status = 'UPDATE_COMPLETE') =>
  stack(status, { BaseUrl, AccessTokensTable: LOCAL_TABLES.accessTokens });

/** How the new version differs from the current one, which is right. */
export type NewVersion = 'as good' | 'crashes' | 'responds to another tag';

/**
 * A stage behind a stand-in for the gateway: an alias of the function, which after `move` sends each third request to a new
 * version.
 */
export async function startWeightedAlias() {
  const service = await startTestService();
  const versions: Record<NewVersion, TestService['handler']> = {
    'as good': service.handler,
    crashes: () => {
      throw new Error('crashed');
    },
    'responds to another tag': async (event, context) => {
      const response = await service.handler(event, context);
      return { ...response, body: response.body.replace('"tag":"npm run verify"', '"tag":"other"') };
    },
  };
  let next: NewVersion = 'as good';
  let requests = 0;
  const arrivals = new EventEmitter();
  const server = createGateway(
    (event, context) => {
      requests += 1;
      arrivals.emit(String(requests));
      return versions[requests % 3 === 0 ? next : 'as good'](event, context);
    },
    { log: () => undefined },
  );
  const url = await listen(server);
  return {
    service,
    url,
    requests: () => requests,
    /** Resolves when so many requests have arrived. */
    arrived: (count: number) => once(arrivals, String(count)),
    move: (newVersion: NewVersion) => {
      next = newVersion;
    },
    /** As before the first request; only the table of plants stays as it is. */
    reset: () => {
      next = 'as good';
      requests = 0;
      service.lines.length = 0;
    },
    /** What AWS returns. */
    responses: deployedAt(url),
    close: async () => {
      server.close();
      await service.close();
    },
  };
}

/**
 * Stands in for `cdk deploy` with a canary: a program asks it to deploy, and it moves the alias until the canary's time has
 * passed. A version that is not as good is then rolled back.
 * @param time resolves when the canary's time has passed
 * @returns `cdk` gives the words of the program, `asked` and `left` resolve when it has asked, and when it has its response or
 *   has ended, and `env` is what the environment of `npm run canary` needs, but for the address of AWS
 */
export async function startDeployment(
  stage: Awaited<ReturnType<typeof startWeightedAlias>>,
  newVersion: NewVersion,
  time: Promise<unknown>,
) {
  const words: string[] = [];
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    response.on('close', left.resolve);
    words.push(...((await json(request)) as string[]));
    asked.resolve();
    stage.move(newVersion);
    await Promise.race([time, left.promise]);
    stage.move('as good');
    response.end(newVersion === 'as good' ? '' : 'PlantStore-prod rolled back');
  });
  const folder = folderWithCdk(await listen(server));
  const env = {
    AWS_ACCESS_KEY_ID: stage.service.store.accessKeyId,
    AWS_ENDPOINT_URL_DYNAMODB: stage.service.store.endpoint,
    // Between two calls, the store may close the idle connection.
    AWS_MAX_ATTEMPTS: '2',
    PATH: `${folder}${path.delimiter}${process.env.PATH}`,
  };
  const cdk = () => words.join(' ');
  return { cdk, asked: asked.promise, left: left.promise, env, close: () => void server.close() };
}

/** A folder with a program `cdk` that asks the stand-in for a deployment, and ends as the CDK would. */
function folderWithCdk(deployment: string): string {
  const folder = temporaryFolder();
  const program = `fetch("${deployment}", { method: "POST", body: JSON.stringify(process.argv.slice(1)) })
  .then((response) => response.text())
  .then((problem) => { if (problem) { console.log(problem); process.exitCode = 1; } });`;
  // The path of Node may have a space, which the first line of a program cannot have.
  const start = `#!/bin/sh\nexec "${process.execPath}" -e '${program}' "$@"\n`;
  writeFileSync(path.join(folder, 'cdk'), start, { mode: 0o755 });
  return folder;
}

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createPlantHandler, type Handler } from '../../lambda/create-plant.ts';
import type { RequestLogLine } from '../../lambda/request/request.ts';
import { AccessTokenTable } from '../../lambda/store/access-token-table.ts';
import { PlantTable } from '../../lambda/store/plant-table.ts';
import { documentClient } from '../../lambda/store/store.ts';
import { createGateway } from '../../local/gateway.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { metricsOf } from '../../test/infra/filter-pattern.ts';
import { copyOf, PROTECTED } from '../../test/infra/synth.ts';
import { stack } from '../../test/support/aws-stand-in.ts';
import { listen } from '../../test/support/listen.ts';
import { temporaryFolder } from '../../test/support/local-process.ts';
import { startTestService } from '../../test/support/test-service.ts';

/** The stage's own template: its metric filters decide what the alarm sees. */
const DEPLOYED = copyOf(PROTECTED);

/** How version 8 differs from version 7, which is right. */
export type NewVersion = 'as good' | 'has the wrong table' | 'crashes' | 'responds to another tag';

/**
 * A stage behind a stand-in for the gateway: an alias that points at version 7, and after `move` sends each third request to
 * version 8. `log` has the lines of both versions, as Lambda writes them.
 */
export async function startWeightedAlias() {
  const service = await startTestService();
  const client = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: service.store.endpoint });
  const log: string[] = [];
  const version = (number: string, plants: string = LOCAL_TABLES.plants): Handler =>
    createPlantHandler({
      accessTokens: new AccessTokenTable(client, LOCAL_TABLES.accessTokens),
      plants: new PlantTable(client, plants),
      writeLog: (message: RequestLogLine) => void log.push(JSON.stringify({ level: 'INFO', message })),
      version: number,
    });
  const good = version('8');
  const versions: Record<NewVersion, Handler> = {
    'as good': good,
    'has the wrong table': version('8', 'no-such-table'),
    crashes: () => {
      throw new Error('crashed');
    },
    'responds to another tag': async (event, context) => {
      const response = await good(event, context);
      return { ...response, body: response.body.replace('"tag":"npm run verify"', '"tag":"other"') };
    },
  };
  const current = version('7');
  let next: Handler | undefined;
  let requests = 0;
  const waiting = new Map<number, () => void>();
  const server = createGateway(
    (event, context) => {
      requests += 1;
      waiting.get(requests)?.();
      return (next && requests % 3 === 0 ? next : current)(event, context);
    },
    { log: () => undefined },
  );
  const url = await listen(server);
  return {
    service,
    log,
    url,
    requests: () => requests,
    /** Resolves when so many requests have arrived. */
    arrived: (count: number) => new Promise<void>((resolve) => void waiting.set(count, resolve)),
    move: (newVersion: NewVersion | undefined) => {
      next = newVersion && versions[newVersion];
    },
    /** As before the first request; only the table of plants stays as it is. */
    reset: () => {
      next = undefined;
      requests = 0;
      waiting.clear();
      log.length = 0;
    },
    /** What AWS returns. */
    responses: stack('UPDATE_COMPLETE', { BaseUrl: url, AccessTokensTable: LOCAL_TABLES.accessTokens }),
    close: async () => {
      server.close();
      client.destroy();
      await service.close();
    },
  };
}

/**
 * Stands in for `cdk deploy` with a canary: a program asks it to deploy, and it moves the alias, and moves it back when
 * the alarm on faults fires or the canary's time has passed.
 * @param time resolves when the canary's time has passed
 * @returns `words` are those of the program, `asked` and `left` resolve when it has asked, and when it has its response or has
 *   ended, and `env` is what the environment of `npm run canary` needs, but for the address of AWS
 */
export async function startDeployment(
  stage: Awaited<ReturnType<typeof startWeightedAlias>>,
  newVersion: NewVersion,
  time: Promise<unknown>,
) {
  const words: string[] = [];
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const isAlarm = () =>
    stage.log.some((line) => metricsOf(DEPLOYED, 'FunctionLogs', line).includes('Faults'));
  const deploy = async (): Promise<'rolled back' | 'deployed'> => {
    let isOver = false;
    void Promise.race([time, left.promise]).then(() => {
      isOver = true;
    });
    stage.move(newVersion);
    while (!isOver && !isAlarm()) await pause(20);
    stage.move(undefined);
    return isAlarm() ? 'rolled back' : 'deployed';
  };
  const server = createServer(async (request, response) => {
    response.on('close', left.resolve);
    words.push(...((await json(request)) as string[]));
    asked.resolve();
    response.end(await deploy());
  });
  const folder = folderWithCdk(await listen(server));
  const env = {
    AWS_ACCESS_KEY_ID: stage.service.store.accessKeyId,
    AWS_ENDPOINT_URL_DYNAMODB: stage.service.store.endpoint,
    // Between two calls, the store may close the idle connection.
    AWS_MAX_ATTEMPTS: '2',
    PATH: `${folder}${path.delimiter}${process.env.PATH}`,
  };
  const close = () => void server.close();
  return { deploy, words, asked: asked.promise, left: left.promise, env, close };
}

/** A folder with a program `cdk` that asks the stand-in for a deployment, and ends as the CDK would. */
function folderWithCdk(deployment: string): string {
  const folder = temporaryFolder();
  const program = `fetch("${deployment}", { method: "POST", body: JSON.stringify(process.argv.slice(1)) })
  .then((response) => response.text())
  .then((text) => { if (text !== "deployed") { console.log("PlantStore-prod", text); process.exitCode = 1; } });`;
  // The path of Node may have a space, which the first line of a program cannot have.
  const start = `#!/bin/sh\nexec "${process.execPath}" -e '${program}' "$@"\n`;
  writeFileSync(path.join(folder, 'cdk'), start, { mode: 0o755 });
  return folder;
}

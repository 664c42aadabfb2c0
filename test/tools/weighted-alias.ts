import { createServer } from 'node:http';
import { createPlantHandler, type Handler } from '../../lambda/create-plant.ts';
import type { RequestLogLine } from '../../lambda/request/request.ts';
import { AccessTokenTable } from '../../lambda/store/access-token-table.ts';
import { PlantTable } from '../../lambda/store/plant-table.ts';
import { documentClient } from '../../lambda/store/store.ts';
import { createGateway } from '../../local/gateway.ts';
import { LOCAL_TABLES } from '../../local/tables.ts';
import { matches, metricsOf } from '../infra/filter-pattern.ts';
import { PROTECTED, synth } from '../infra/synth.ts';
import { type Answers, type Fields, is, type Reply, stack } from '../support/aws-stand-in.ts';
import { listen } from '../support/listen.ts';
import { startTestService } from '../support/test-service.ts';

/** The stage's own template: its metric filters decide what the alarm sees. */
const DEPLOYED = synth(PROTECTED);

/** A line of the function's log group. */
interface LogEvent {
  readonly timestamp: number;
  readonly logStreamName: string;
  /** JSON, as Lambda writes it. */
  readonly message: string;
}

/** How version 8 differs from version 7, which is right. */
export type NewVersion = 'as good' | 'has the wrong table' | 'crashes' | 'answers another tag';

/**
 * A stage behind a stand-in for the gateway: an alias that points at version 7, and after `move` sends each third request to
 * version 8. Its log can be read from the AWS stand-in.
 */
export async function startWeightedAlias(newVersion: NewVersion) {
  const service = await startTestService();
  const client = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: service.store.endpoint });
  const log: LogEvent[] = [];
  const write = (version: string, line: object) =>
    void log.push({
      timestamp: Date.now(),
      logStreamName: `2026/11/22/PlantStore-prod-Function[${version}][0f3c]`,
      message: JSON.stringify(line),
    });
  const version = (number: string, plants: string = LOCAL_TABLES.plants): Handler =>
    createPlantHandler({
      accessTokens: new AccessTokenTable(client, LOCAL_TABLES.accessTokens),
      plants: new PlantTable(client, plants),
      writeLog: (message: RequestLogLine) => write(number, { level: 'INFO', message }),
      version: number,
    });
  const good = version('8');
  const versions: Record<NewVersion, Handler> = {
    'as good': good,
    'has the wrong table': version('8', 'no-such-table'),
    crashes: () => {
      write('8', { type: 'platform.report', record: { status: 'error' } });
      throw new Error('crashed');
    },
    'answers another tag': async (event, context) => {
      const answer = await good(event, context);
      return { ...answer, body: answer.body.replace('"tag":"npm run verify"', '"tag":"other"') };
    },
  };
  const current = version('7');
  let [isMoving, requests] = [false, 0];
  const server = createGateway(
    (event, context) => {
      requests += 1;
      return (isMoving && requests % 3 === 0 ? versions[newVersion] : current)(event, context);
    },
    { log: () => undefined },
  );
  const url = await listen(server);
  return {
    service,
    log,
    url,
    requests: () => requests,
    move: (isUnderWay: boolean) => {
      isMoving = isUnderWay;
    },
    /** What AWS answers. */
    answers: answersOf(url, (input) => filterLogEvents(log, input)),
    filterLogEvents: (input: Fields) => filterLogEvents(log, input),
    close: async () => {
      server.close();
      client.destroy();
      await service.close();
    },
  };
}

function answersOf(url: string, FilterLogEvents: (input: Fields) => Reply): Answers {
  const LogicalResourceId = 'FunctionLogs9A6C3E2B';
  const summary = { LogicalResourceId, ResourceType: 'AWS::Logs::LogGroup', PhysicalResourceId: 'logs' };
  return {
    ...stack('UPDATE_COMPLETE', { BaseUrl: url, AccessTokensTable: LOCAL_TABLES.accessTokens }),
    ListStackResources: is({ StackResourceSummaries: [summary] }),
    FilterLogEvents,
  };
}

/** Two pages, of which the first is empty, as it may be (CloudWatch Logs API Reference, "FilterLogEvents"). */
function filterLogEvents(
  log: readonly LogEvent[],
  { nextToken, filterPattern, startTime, logGroupName }: Fields,
): Reply {
  if (!nextToken) return is({ events: [], nextToken: 'more' });
  const events = log.filter(
    ({ timestamp, message }) =>
      logGroupName === 'logs' && timestamp >= Number(startTime) && matches(String(filterPattern), message),
  );
  return is({ events: events.map((event) => ({ ...event })) });
}

/**
 * Stands in for `npm run deploy` with a canary: a program asks it to deploy, and it moves the alias, and moves it back if the
 * alarm on faults fires within the canary's time, or when `enough` says that the test has seen enough.
 * @returns `words` are those of the program, and `left` resolves when it has its answer or has ended
 */
export async function startDeployment(
  alias: Awaited<ReturnType<typeof startWeightedAlias>>,
  { seconds, enough = () => false }: { seconds: number; enough?: () => boolean },
) {
  const isAlarm = () =>
    alias.log.some(({ message }) => metricsOf(DEPLOYED, 'FunctionLogs', message).includes('Faults'));
  const deploy = async (): Promise<'rolled back' | 'deployed'> => {
    alias.move(true);
    const end = Date.now() + 1_000 * seconds;
    while (Date.now() < end && !isAlarm() && !enough()) await new Promise((done) => setTimeout(done, 50));
    alias.move(false);
    return isAlarm() ? 'rolled back' : 'deployed';
  };
  const words: string[] = [];
  const left = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    response.on('close', left.resolve);
    words.push(...JSON.parse((await request.toArray()).join('')));
    response.end(await deploy());
  });
  return { deploy, words, left: left.promise, url: await listen(server), close: () => void server.close() };
}

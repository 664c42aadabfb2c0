import { afterAll, expect, test } from 'vitest';
import { createGateway } from '../local/gateway.ts';
import { listen } from '../local/listen.ts';
import { startTestService } from '../test/support/test-service.ts';
import { listCheck } from './list-check.ts';
import { runCheck } from './run-checks.ts';
import { serviceAt } from './service-under-test.ts';

const service = await startTestService();
afterAll(service.close);

/** Makes the check of a service whose first lists have no plant. @returns the verdict, and how many lists were asked for */
async function judged(emptyLists: number) {
  let lists = 0;
  const gateway = createGateway(async (event, context) => {
    const response = await service.handler(event, context);
    if (Object(event).httpMethod !== 'GET') return response;
    lists += 1;
    return lists > emptyLists ? response : { ...response, body: '{"plants":[]}' };
  });
  const client = serviceAt(await listen(gateway), service.token);
  const { verdict } = await runCheck(listCheck({ write: true }, 1), client);
  client.close();
  gateway.close();
  return [verdict, lists];
}

test('a list of plants that were just stored is asked for until it has them, and at most eleven times', async () => {
  expect(await judged(0)).toEqual(['held', 1]);
  expect(await judged(2)).toEqual(['held', 3]);
  expect(await judged(99)).toEqual(['did not hold', 11]);
});

test('without --write nothing is stored', () => {
  expect(listCheck({ write: false }).notJudged).toBe('only --write stores plants');
});

import { expect, test } from 'vitest';
import { jsonOfPython } from '../../commands/generate/bodies.ts';
import { IS_NUMBER, idOf } from '../../contract/key.ts';
import { read } from '../support/project.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';
import { codeOf } from './documents.ts';

// `npm run generate` writes them. Redocly checks the examples of openapi.yaml. client/test/package.test.ts runs the example of client/README.md.
test.each([
  ['README.md', true],
  ['docs/clients.md', true],
  ['docs/client-tools.md', false],
])('the service accepts the bodies in %s, and would return each response', async (file, hasResponses) => {
  const [bodies, responses] = [bodiesIn(file), responsesIn(file)];
  expect([bodies.length > 0, responses.length > 0]).toEqual([true, hasResponses]);
  const service = await startTestService();
  const send = (body: string) => service.handler(plantEvent(service.token, body));
  for (const body of bodies) expect([body, (await send(body)).statusCode]).toEqual([body, 200]);
  for (const [n, line] of responses.entries()) {
    const { id = IS_NUMBER ? n : idOf(n), ...plant } = JSON.parse(line);
    const { body } = await send(JSON.stringify({ id, ...plant }));
    expect(JSON.parse(body), line).toEqual(plant);
  }
  await service.close();
});

/** The bodies in quotes, as of curl, PowerShell and Python. */
function bodiesIn(file: string): string[] {
  return [...read(file).matchAll(/'(\{"[^']+\})'|create_plant\((\{.+?\})\)/g)].map(
    ([, json, dictionary = '']) => json ?? jsonOfPython(dictionary),
  );
}

/** Plants without their ids, and lines of exports. */
function responsesIn(file: string): string[] {
  return codeOf(file).filter((line) => /^\{".*\}$/.test(line) && !line.startsWith('{"error"'));
}

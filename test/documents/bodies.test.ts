import { expect, test } from 'vitest';
import { WHOLE } from '../../contract/examples.ts';
import { OPENAPI } from '../../contract/openapi.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';
import { codeOf, read } from './documents.ts';

/** The bodies of requests in documents; client/test/package.test.ts runs the example of client/README.md. */
const BODIES = {
  'README.md': bodiesIn('README.md'),
  'docs/clients.md': bodiesIn('docs/clients.md'),
  'contract/openapi.yaml': Object.values<{ value: object }>(OPENAPI.components.examples).map(({ value }) =>
    JSON.stringify(value),
  ),
};

test.each(Object.entries(BODIES))('the service accepts the bodies in %s', async (_, bodies) => {
  expect(bodies.length, "It has no '{…}' and no create({…}).").toBeGreaterThan(0);
  const service = await startTestService();
  for (const body of bodies) {
    const { statusCode } = await service.handler(plantEvent(service.token, body));
    expect([body, statusCode]).toEqual([body, 200]);
  }
  await service.close();
});

/** Plants without their ids, and lines of exports. */
const RESPONSES = {
  'README.md': linesIn('README.md'),
  'docs/clients.md': linesIn('docs/clients.md'),
  'contract/openapi.yaml': [
    ...OPENAPI.components.schemas.Plant.examples,
    ...Object.values<{ value: object }>(
      OPENAPI.paths['/plants'].post.responses['200'].content['application/json'].examples,
    ).map(({ value }) => value),
  ].map((plant) => JSON.stringify(plant)),
};

test.each(Object.entries(RESPONSES))('the responses in %s are plants', async (_, shown) => {
  expect(shown.length, 'It has no line of JSON.').toBeGreaterThan(0);
  const service = await startTestService();
  for (const [n, line] of shown.entries()) {
    const { id = n, ...plant } = JSON.parse(line);
    const { body } = await service.handler(plantEvent(service.token, JSON.stringify({ id, ...plant })));
    expect(JSON.parse(body), line).toEqual(plant);
  }
  await service.close();
});

test('docs/clients.md lists each property', () => {
  const listed = [...read('docs/clients.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(expect.arrayContaining(['id', ...Object.keys(WHOLE)]));
});

function linesIn(file: string): string[] {
  return codeOf(file).filter((line) => /^\{".*\}$/.test(line) && !line.startsWith('{"error"'));
}

/** The bodies in quotes, as of curl and PowerShell, and the dictionaries of Python. */
function bodiesIn(file: string): string[] {
  return [...read(file).matchAll(/'(\{"[^']+\})'|create\((\{.+?\})\)/g)].map(
    ([, json, dictionary = '']) =>
      json ?? dictionary.replaceAll("'", '"').replace(/\b(?:True|False)\b/g, (word) => word.toLowerCase()),
  );
}

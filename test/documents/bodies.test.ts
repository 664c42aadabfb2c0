import { expect, test } from 'vitest';
import { jsonOfPython } from '../../commands/generate/bodies.ts';
import { read } from '../support/project.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';

// `npm run generate` writes them, and the responses. Redocly checks the examples of openapi.yaml.
test.each(['README.md', 'docs/clients.md', 'docs/client-tools.md'])(
  'the service accepts the bodies in %s',
  async (file) => {
    const bodies = bodiesIn(file);
    expect(bodies.length).toBeGreaterThan(0);
    const service = await startTestService();
    for (const body of bodies)
      expect(await service.handler(plantEvent(service.token, body)), body).toMatchObject({ statusCode: 200 });
    await service.close();
  },
);

/** The bodies in quotes, as of curl, PowerShell and Python. */
function bodiesIn(file: string): string[] {
  return [...read(file).matchAll(/'(\{"[^']+\})'|create_plant\((\{.+?\})\)/g)].map(
    ([, json, dictionary = '']) => json ?? jsonOfPython(dictionary),
  );
}

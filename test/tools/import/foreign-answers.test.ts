import { writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { listen } from '../../support/listen.ts';
import { temporaryFolder } from '../../support/local-process.ts';
import { runTool } from '../run-tool.ts';

/** A token with a valid format and checksum, which no service has issued. */
const TOKEN = `plants_${'0'.repeat(43)}3HnMlu`;

/** Imports two plants from a service that answers every request with this. */
async function importInto(body: string | Buffer, contentType = 'application/json', status = 200) {
  let requests = 0;
  const server = http.createServer((request, response) => {
    requests += 1;
    request.resume().on('error', () => undefined);
    request.on('end', () => response.writeHead(status, { 'content-type': contentType }).end(body));
  });
  const url = await listen(server);
  const file = path.join(temporaryFolder(), 'a.csv');
  writeFileSync(file, 'id,name,tag\n1,Fern,shade\n2,Fern,shade\n');
  const ended = await runTool('import', [file, '--url', url], { env: { PLANT_STORE_TOKEN: TOKEN } });
  // Not by onTestFinished: of tests that run at once, another may be the one that finishes.
  server.close();
  server.closeAllConnections();
  return { ...ended, url, requests };
}

describe.concurrent('npm run import does not count a plant as stored after', () => {
  const plant = '{"name":"Fern","tag":"shade"}';
  test.each<[string, string | Buffer, string?, number?]>([
    ['the page of a captive portal', '<html>Log in</html>', 'text/html'],
    ['the plant as HTML', plant, 'text/html'],
    ['another plant', '{"name":"Moss","tag":"shade"}'],
    ['the plant without its tag', '{"name":"Fern"}'],
    ['an object that has a name', '{"name":"Fern","tag":null}'],
    [
      'an answer that is not UTF-8',
      Buffer.concat([Buffer.from(plant.replace('}', ',"a":"')), Buffer.from([0xff, 0x22, 0x7d])]),
    ],
    ['no body', ''],
    ['a 204', '', 'application/json', 204],
    ['a redirect', plant, 'application/json', 302],
    ['a 400 with an error in a string', '{"error":"40901","message":"Taken."}', 'application/json', 400],
  ])('%s', async (_, body, contentType, status) => {
    const { code, out, err, url, requests } = await importInto(body, contentType, status);
    expect(err).toMatch(
      new RegExp(`^${url} answers (50401|40000): The answer .* did not come from the service`),
    );
    expect({ code, out, requests }).toEqual({ code: 1, out: '', requests: 1 });
  });

  test('but after the plant with further properties it does', async () => {
    const { code, out } = await importInto(plant.replace('}', ',"colour":"green"}'));
    expect(out).toMatch(/^ *stored +2$/m);
    expect(code).toBe(0);
  });
});

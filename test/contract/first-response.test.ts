import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { describe, expect, test } from 'vitest';
import { PlainError } from '../../terminal/plain-error.ts';
import { requireService } from '../../tools/verify/first-response.ts';
import { RunningService } from '../../tools/verify/running-service.ts';
import { makeCertificate } from '../support/certificate.ts';
import { listen } from '../support/listen.ts';

/** @returns the message of the error for the first response; undefined if the service accepts the plant */
async function problemOf(url: string): Promise<string | undefined> {
  const service = new RunningService(url, `plants_${'0'.repeat(49)}`);
  const problem = await requireService(service, '{"id":1,"name":"Fern"}').catch((error: unknown) => error);
  service.close();
  if (problem !== undefined) expect(problem).toBeInstanceOf(PlainError);
  return (problem as Error | undefined)?.message.replace(url, 'URL');
}

describe('the first response of a service', () => {
  const error = (number: number) => `{"error":${number},"message":"No."}`;
  test.each([
    [200, '{"name":"Fern"}', undefined],
    [
      400,
      error(40102),
      'URL refuses the access token (40102); issue one for this service with npm run token.',
    ],
    [400, error(40401), 'URL has no POST /plants (40401); --url is the part of the address before /plants.'],
    [400, error(40000), 'URL has no POST /plants (40000); --url is the part of the address before /plants.'],
    [
      400,
      error(40901),
      'URL has another plant with an id that is reserved for verification (40901); see docs/first-deployment.md#verify.',
    ],
    [
      400,
      error(50001),
      'URL does not accept a valid plant (50001); docs/runbook-alarms.md says what to check.',
    ],
    [404, '<html>', 'URL is not a Plant Store: it returns 404, text/any.'],
    [400, '{"error":"40102","message":""}', 'URL is not a Plant Store: it returns 400, text/any.'],
    [400, '{"error":40102.5,"message":""}', 'URL is not a Plant Store: it returns 400, text/any.'],
    [403, error(40102), 'URL is not a Plant Store: it returns 403, text/any.'],
  ])('%i %s: %s', async (status, body, problem) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(status, { 'content-type': 'text/any' }).end(body));
    });
    expect(await problemOf(await listen(server))).toBe(problem);
    server.close();
  });

  test('a service that does not respond is reported', async () => {
    expect(await problemOf('http://127.0.0.1:9')).toBe('URL cannot be reached (ECONNREFUSED).');
  });

  test('a self-signed certificate is refused, so that nobody can intercept the token', async () => {
    const server = createTlsServer(makeCertificate(), (_request, response) =>
      response.end('{"name":"Fern"}'),
    );
    const url = (await listen(server)).replace('http:', 'https:');
    expect(await problemOf(url)).toBe('URL cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT).');
    server.close();
  });
});

/** `npm run lab -- proxies`: tests the local service through real proxies, and compares with docs/proxies.md. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runChecks } from '../../checks/run-checks.ts';
import { type ServiceUnderTest, serviceAt } from '../../checks/service-under-test.ts';
import { runCommand } from '../../cli/command-line.ts';
import { print } from '../../cli/print.ts';
import { checksFor, requireService } from '../../commands/verify/verify-service.ts';
import { PROXY_PAGE } from '../../contract/not-of-service.ts';
import { sendHttp } from '../../contract/send-http.ts';
import { startLocalProcess } from '../../test/support/local-process.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { freeAddress, startServer } from '../process.ts';
import { runTrials } from '../run-trials.ts';
import { PROXIES, type TriedProxy } from './proxies.ts';

const TRIALS = PROXIES.map((proxy) => ({
  name: proxy.name,
  about: 'starting',
  run: () => tryProxy(proxy),
}));

await runCommand({
  usage: 'npm run lab -- proxies [NAME...]',
  about: `Starts proxies in front of the local service, and runs the checks of npm run verify through each. Exits with 1 if other rules are
broken than docs/proxies.md says, or if the proxy is not named as the cause.`,
  options: {},
  notes: `NAME is one of ${TRIALS.map(({ name }) => name).join(', ')}.
They need nginx-light, squid, haproxy and apache2 of Debian 12, and Python for Envoy, which comes from PyPI. All files go to a
temporary folder, and all servers listen on 127.0.0.1.`,
  operands: true,
  main: async (_, chosen) => process.exit((await runTrials(TRIALS, chosen)) ? 0 : 1),
});

/** @throws Error if `verify` finds something else than expected through the proxy */
async function tryProxy({ name, command, config, broken }: TriedProxy): Promise<void> {
  const [cwd, service, address] = [temporaryFolder(), await startLocalProcess(), await freeAddress()];
  const content = config(new URL(address).port, new URL(service.url).port);
  for (const file of ['config', 'config.yaml']) writeFileSync(path.join(cwd, file), content);
  const responds = () =>
    sendHttp(address, {}).then(
      ({ status }) => status < 500,
      () => false,
    );
  const end = await startServer(command, { cwd, env: process.env }, responds);
  const client = serviceAt(address, service.token);
  const found = broken instanceof RegExp ? await refused(client) : await brokenRules(client);
  client.close();
  await end();
  await service.end();
  const isExpected = broken instanceof RegExp ? broken.test(String(found)) : isDeepStrictEqual(found, broken);
  print(`${name}: ${JSON.stringify(found)}`);
  if (!isExpected) throw new Error(`expected ${broken instanceof RegExp ? broken : JSON.stringify(broken)}`);
}

/** @returns why the first request is refused */
function refused(client: ServiceUnderTest): Promise<string> {
  return requireService(client).then(
    () => 'accepted',
    ({ message }: Error) => message,
  );
}

/** @returns how many rules of each group do not hold. @throws Error if one does not name the proxy */
async function brokenRules(client: ServiceUnderTest): Promise<Record<string, number>> {
  const { results } = await runChecks(checksFor({ write: false, everyId: true, origins: [] }), client);
  const counts: Record<string, number> = {};
  for (const { group, rule, verdict, reasons } of results) {
    if (verdict !== 'did not hold') continue;
    counts[group] = (counts[group] ?? 0) + 1;
    if (!reasons.some(({ sentence }) => sentence.includes(PROXY_PAGE)))
      throw new Error(`no cause of: ${rule}`);
  }
  return counts;
}

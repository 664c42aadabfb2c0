import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { installOrFail, installPython } from '../../.ci/installation.ts';
import { installClient } from '../../.ci/runtime/install-client.ts';
import { makeCertificate } from '../../test/support/certificate.ts';

import { freeAddress } from '../free-address.ts';
import { startFunctions } from './functions.ts';

const HERE = import.meta.dirname;

/**
 * Starts LocalStack on a free port of the loopback interface, after installing it on first use. It ends with this process.
 * @param folder for its files
 * @returns its address, and the variables with which Node finds and trusts the deployed stages
 * @throws PlainError if it cannot be installed; Error with its output, if it ends before it is ready
 */
export async function startEmulator(folder: string) {
  installClient();
  // The file lists every package; two of them are older than other packages require.
  const packages = ['--no-deps', '--requirement', path.join(HERE, 'requirements.txt')];
  const needs = 'Python 3.13 or 3.12 with venv (PYTHON=… names its command), and PyPI';
  const commands = installPython('localstack', process.env.PYTHON ?? 'python3.13', needs, ...packages);
  const endpoint = await freeAddress();
  const functions = await startFunctions();
  const certificate = path.join(folder, 'certificate.pem');
  const { key, cert } = installOrFail('openssl', () =>
    makeCertificate('DNS:*.execute-api.localhost.localstack.cloud'),
  );
  writeFileSync(certificate, key + cert, { mode: 0o600 });
  const child = spawn(path.join(commands, 'python'), [path.join(HERE, 'start.py')], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      TMPDIR: folder,
      GATEWAY_LISTEN: endpoint.replace('http://', ''),
      // Resources that it does not know, such as metric filters, count as created.
      CFN_IGNORE_UNSUPPORTED_RESOURCE_TYPES: '1',
      SKIP_SSL_CERT_DOWNLOAD: '1',
      CUSTOM_SSL_CERT_PATH: certificate,
      DISABLE_EVENTS: '1',
      FUNCTIONS: functions.address,
    },
  });
  process.on('exit', () => {
    functions.kill();
    // Its process group, to which its own children belong.
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGKILL');
  });
  await readiness(child);
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('names.ts', import.meta.url)}`;
  return { endpoint, variables: { NODE_OPTIONS, NODE_EXTRA_CA_CERTS: certificate } };
}

/** @throws Error with its output, if it ends before it is ready */
async function readiness(child: ChildProcess): Promise<void> {
  let output = '';
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output += chunk;
        if (/^Ready\.$/m.test(output)) resolve();
      });
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`LocalStack ended: ${output}`)));
  ended.catch(() => undefined);
  await Promise.race([ready, ended]);
}

import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream';
import tls from 'node:tls';
import { installPython } from '../../.ci/install-python.ts';
import { installOrFail } from '../../.ci/installation.ts';
import { installClient } from '../../.ci/runtime/install-client.ts';
import { listen } from '../../local/listen.ts';
import { makeCertificate } from '../../test/support/certificate.ts';
import { freeAddress, startServer } from '../process.ts';
import { startFunctions } from './functions.ts';
import { refuseOpenPorts } from './open-ports.ts';

/** What an emulator needs. The files of each are in the folder of its name. */
interface Emulator {
  /** What it prints when it is ready. */
  readonly ready: RegExp;
  /** The addresses of stages, with `*` for the first part. */
  readonly stages: string;
  /** Its settings. @param functions the address of the trial's functions; without it, it runs them itself */
  settings(address: URL, functions: string): Record<string, string>;
}

export const EMULATORS = {
  localstack: {
    ready: /^Ready\.$/m,
    stages: '*.execute-api.localhost.localstack.cloud',
    settings: ({ host }, functions) => ({
      GATEWAY_LISTEN: host,
      // Resources that it does not know, such as metric filters, count as created.
      CFN_IGNORE_UNSUPPORTED_RESOURCE_TYPES: '1',
      SKIP_SSL_CERT_DOWNLOAD: '1',
      DISABLE_EVENTS: '1',
      FUNCTIONS: functions,
    }),
  },
  ministack: {
    ready: /Running on http:/,
    stages: '*.execute-api.eu-west-1.amazonaws.com',
    settings: ({ hostname, port, origin }) => ({
      BIND_HOST: hostname,
      GATEWAY_PORT: port,
      MINISTACK_REGION: 'eu-west-1',
      // The names of stages end with this.
      MINISTACK_HOST: 'eu-west-1.amazonaws.com',
      // It runs functions as processes of its own, which have its environment. They read only the store's own variable.
      AWS_ENDPOINT_URL: origin,
      AWS_ENDPOINT_URL_DYNAMODB: origin,
    }),
  },
} satisfies Record<string, Emulator>;

export type EmulatorName = keyof typeof EMULATORS;

/**
 * Starts an emulator on a free port of the loopback interface, after installing it on first use. It ends with this process.
 * @param folder for its files
 * @returns its address, and the variables with which Node finds and trusts the deployed stages
 * @throws PlainError if it cannot be installed; Error with its output, if it does not start, or if other machines can reach it
 */
export async function startEmulator(name: EmulatorName, folder: string) {
  const { ready, stages, settings }: Emulator = EMULATORS[name];
  const here = path.join(import.meta.dirname, name);
  installClient();
  const needs = 'Python 3.13 or 3.12 with venv (PYTHON=… names its command), and PyPI';
  const python = process.env.PYTHON ?? 'python3.13';
  const commands = installPython(name, python, needs, path.join(here, 'requirements.txt'));
  const endpoint = await freeAddress();
  const functions = await startFunctions();
  const certificate = path.join(folder, 'certificate.pem');
  const { key, cert } = installOrFail('openssl', () => makeCertificate(`DNS:${stages}`));
  writeFileSync(certificate, cert);
  const address = new URL(endpoint);
  process.on('exit', functions.kill);
  const env = {
    // First the Node of this process, for functions.
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    TMPDIR: folder,
    ...settings(address, functions.address),
  };
  const command = [path.join(commands, 'python'), path.join(here, 'start.py')];
  await startServer(command, { cwd: folder, env }, (output) => ready.test(output));
  refuseOpenPorts();
  const { port: STAGES_PORT } = new URL(await startTls(address, { key, cert }));
  const preload = new URL('stage-addresses.ts', import.meta.url);
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${preload}`;
  return { endpoint, variables: { NODE_OPTIONS, NODE_EXTRA_CA_CERTS: certificate, STAGES_PORT } };
}

/** Starts what speaks TLS with clients, and passes on their bytes. @returns its address */
function startTls({ port, hostname }: URL, certificate: tls.TlsOptions): Promise<string> {
  const server = tls.createServer(certificate, (client) => {
    pipeline(client, connect(Number(port), hostname), client, () => undefined);
  });
  return listen(server);
}

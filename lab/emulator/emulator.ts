import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream';
import tls from 'node:tls';
import { installPython } from '../../.ci/install-python.ts';
import { listen } from '../../local/listen.ts';
import { makeCertificate } from '../../test/support/certificate.ts';
import { freeAddress, startServer } from '../process.ts';
import { refuseOpenPorts } from './open-ports.ts';

export const REGION = 'eu-west-1';

/** The names of stages end with this. */
const DOMAIN = `${REGION}.amazonaws.com`;

/**
 * Starts ministack on a free port of the loopback interface, after installing it on first use. It ends with this process.
 * @param folder for its files
 * @returns its address, and the variables with which Node finds and trusts the deployed stages
 * @throws PlainError if it cannot be installed; Error with its output, if it does not start, or if other machines can reach it
 */
export async function startEmulator(folder: string) {
  const here = import.meta.dirname;
  const needs = 'Python 3.13 or 3.12 with venv (PYTHON=… names its command), and PyPI';
  const python = process.env.PYTHON ?? 'python3.13';
  const commands = installPython('ministack', python, needs, path.join(here, 'requirements.txt'));
  const endpoint = await freeAddress();
  const certificate = path.join(folder, 'certificate.pem');
  const { key, cert } = makeCertificate(`*.execute-api.${DOMAIN}`);
  writeFileSync(certificate, cert);
  const address = new URL(endpoint);
  const env = {
    // First the Node of this process, for functions.
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    TMPDIR: folder,
    BIND_HOST: address.hostname,
    GATEWAY_PORT: address.port,
    MINISTACK_REGION: REGION,
    MINISTACK_HOST: DOMAIN,
    // It runs functions as processes of its own, which have its environment. They read only the store's own variable.
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  };
  const command = [path.join(commands, 'python'), path.join(here, 'start.py')];
  await startServer(command, { cwd: folder, env }, (output) => /Running on http:/.test(output));
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

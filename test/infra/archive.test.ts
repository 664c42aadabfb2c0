import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { setMode } from '../../infra/asset.ts';
import { error, is, startAws } from '../support/aws-stand-in.ts';
import { isExhaustive } from '../support/exhaustive.ts';
import { listen } from '../support/listen.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const ACCOUNT = '111122223333';
const CREDENTIALS = { AccessKeyId: 'any', SecretAccessKey: 'any', SessionToken: 'any' };

/** An account after `cdk bootstrap`, but for its bucket. */
const BOOTSTRAPPED = {
  GetCallerIdentity: is({ Account: ACCOUNT, Arn: `arn:aws:iam::${ACCOUNT}:user/any`, UserId: 'any' }),
  AssumeRole: is({ Credentials: { ...CREDENTIALS, Expiration: '2999-01-01T00:00:00Z' } }),
  GetParameter: is({ Parameter: { Name: '/cdk-bootstrap/hnb659fds/version', Type: 'String', Value: '30' } }),
  DescribeStacks: error('ValidationError', 'Stack with id CDKToolkit does not exist'),
};

/** An empty bucket at every address. It has no object of any name, and keeps what it is sent. */
async function startBucket() {
  const uploads = new Map<string, Buffer>();
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray());
    const { pathname } = new URL(request.url ?? '', 'http://s3');
    if (request.method === 'PUT') uploads.set(path.basename(pathname), body);
    response.end(request.method === 'GET' ? '<ListBucketResult/>' : undefined);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  return { url: await listen(server), uploads, close: () => void server.close() };
}

/**
 * Builds a stage and uploads its assets, as `cdk deploy` does, under a umask.
 * @returns the modes in the archive that it uploaded, by the names of the files
 */
async function modesPublished(umask: string): Promise<Record<string, string>> {
  const aws = await startAws(BOOTSTRAPPED);
  const bucket = await startBucket();
  const app = `"${process.execPath}" test/infra/one-stage.ts`;
  const cdk = ['node_modules/aws-cdk/bin/cdk', 'publish-assets', '--unstable=publish-assets', '--app', app];
  const command = [process.execPath, ...cdk, '--output', temporaryFolder()];
  const args = ['-c', `umask ${umask}; exec "$@"`, 'sh', ...command];
  await promisify(execFile)('sh', args, {
    cwd: ROOT,
    env: { ...process.env, ...aws.env, AWS_ENDPOINT_URL_S3: bucket.url, CDK_HOME: temporaryFolder() },
  }).finally(() => {
    aws.close();
    bucket.close();
  });
  const archives = [...bucket.uploads].filter(([name]) => name.endsWith('.zip'));
  expect(archives).toHaveLength(1);
  return modesIn(archives[0]?.[1] ?? Buffer.alloc(0));
}

/** The modes in an archive's central directory (PKWARE, APPNOTE.TXT, sections 4.3.12 and 4.4.15). */
function modesIn(archive: Buffer): Record<string, string> {
  const modes: Record<string, string> = {};
  let at = archive.indexOf('PK\u0001\u0002');
  while (at !== -1) {
    const name = archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28));
    modes[name] = archive.readUInt16LE(at + 40).toString(8);
    at = archive.indexOf('PK\u0001\u0002', at + 46);
  }
  return modes;
}

test.runIf(process.platform !== 'win32' && isExhaustive('the modes in the archive that the CDK uploads'))(
  'everybody may read the function and run its start script, whatever the umask of the build',
  async () => {
    const modes = { 'handler.cjs': '100644', 'start-script.sh': '100755' };
    expect(await modesPublished('077')).toEqual(modes);
  },
);

test.each([
  ['handler.cjs', /handler\.cjs does not keep the mode 644, and the function .* Use another file system\.$/],
  [
    'start-script.sh',
    /start-script\.sh does not keep the mode 755, and the function .* or set startScript to false/,
  ],
])('a file system that does not keep the mode of %s ends the build', (name, message) => {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, '', { mode: 0o600 });
  expect(() => setMode(file, () => undefined)).toThrow(message);
});

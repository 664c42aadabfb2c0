import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './temporary-root.ts';

/** A profile whose credentials come from a session of SSO. */
export const SSO =
  'sso_account_id = 1\nsso_role_name = R\nsso_session = c\n[sso-session c]\nsso_start_url = https://c\nsso_region = eu-west-1';

/** A home folder with the files of the AWS CLI. @returns the environment that names them */
export function awsHome(config: string, sessionEnds = '2099-01-01T00:00:00Z') {
  const folder = temporaryFolder();
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const cache = (algorithm: string, id: string) => `${createHash(algorithm).update(id).digest('hex')}.json`;
  write(`.aws/sso/cache/${cache('sha1', 'c')}`, JSON.stringify({ accessToken: 'a', expiresAt: sessionEnds }));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const accessToken = {
    accountId: '1',
    accessKeyId: 'a',
    secretAccessKey: 'b',
    expiresAt: '2020-01-01T00:00:00Z',
  };
  const dpopKey = privateKey.export({ format: 'pem', type: 'sec1' });
  const login = { accessToken, clientId: 'x', refreshToken: 'r', dpopKey };
  write(`.aws/login/cache/${cache('sha256', 'arn:ended')}`, JSON.stringify(login));
  return {
    HOME: folder,
    AWS_CONFIG_FILE: write('.aws/config', `${config}\n`),
    AWS_LOGIN_CACHE_DIRECTORY: path.join(folder, '.aws/login/cache'),
    // Of the web identity.
    TOKEN: write('token', 'any'),
  };
}

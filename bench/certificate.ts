import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { STORE_HOST } from './runtime/network.ts';

/**
 * Makes a certificate for the stub, signed by itself and for one day: RSA 2048 as DynamoDB's own is.
 * @param folder where key.pem and certificate.pem go
 * @throws Error when openssl is missing
 */
export function makeCertificate(folder: string): { key: string; certificate: string } {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const name = ['-subj', `/CN=${STORE_HOST}`, '-addext', `subjectAltName=DNS:${STORE_HOST}`];
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  execFileSync('openssl', [...kind, ...name, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return { key, certificate };
}

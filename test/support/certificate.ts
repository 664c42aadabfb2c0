import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { temporaryFolder } from './temporary-root.ts';

const EC = ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];

/**
 * Makes a TLS server's key and a self-signed certificate, valid for a day. A key in the repository would
 * set off every secret scanner, and Node can create keys but not certificates.
 * @param names of the server, as openssl writes them
 * @param keyType the arguments of openssl for the kind of key
 * @returns both as PEM
 * @throws Error if openssl is missing
 */
export function makeCertificate(names = 'IP:127.0.0.1', keyType = EC): { key: string; cert: string } {
  const folder = temporaryFolder();
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const name = ['-subj', '/CN=plant-store test', '-addext', `subjectAltName=${names}`];
  const kind = ['req', '-x509', '-nodes', '-newkey', ...keyType];
  const files = ['-days', '1', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...kind, ...name, ...files], { stdio: 'ignore' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

let trusted: ReturnType<typeof makeCertificate> | undefined;

/** Makes a certificate, once, and makes this process trust it, so that the function uses TLS as in AWS. */
export function trustedCertificate(): ReturnType<typeof makeCertificate> {
  if (!trusted) {
    trusted = makeCertificate();
    tls.setDefaultCACertificates([trusted.cert]);
  }
  return trusted;
}

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { temporaryFolder } from './temporary-root.ts';

let trusted: { key: string; cert: string } | undefined;

/**
 * Makes a TLS server's key and a self-signed certificate for 127.0.0.1, once, and makes this process trust it, so that the
 * function uses TLS as in AWS. A key in the repository would set off every secret scanner, and Node can create keys but
 * not certificates.
 * @returns both as PEM
 * @throws Error if openssl is missing
 */
export function trustedCertificate(): { key: string; cert: string } {
  if (trusted) return trusted;
  const folder = temporaryFolder();
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const name = ['-subj', '/CN=plant-store test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-days', '1', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...kind, ...name, ...files], { stdio: 'ignore' });
  trusted = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  tls.setDefaultCACertificates([trusted.cert]);
  return trusted;
}

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import tls from 'node:tls';

/** Tags of DER (ITU-T X.690, 8). */
const [BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING, UTF8, UTC_TIME] = [0x01, 0x02, 0x03, 0x04, 0x0c, 0x17];
const [SEQUENCE, SET] = [0x30, 0x31];

const OIDS = {
  commonName: '550403',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  ec: '2a8648ce3d040302',
  rsa: '2a864886f70d01010b',
};

/** A value in DER: its tag, its length, and what it consists of. */
function der(tag: number, ...content: (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(content.map((each) => Buffer.from(each)));
  const { length } = body;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), body]);
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), body]);
}

const oid = (name: keyof typeof OIDS) => der(0x06, Buffer.from(OIDS[name], 'hex'));
const time = (ms: number) =>
  der(UTC_TIME, Buffer.from(`${new Date(ms).toISOString().replaceAll(/^20|[-:T]|\.\d+/g, '')}`));

/**
 * Makes a TLS server's key and a self-signed certificate (RFC 5280, 4.1), valid for a day. A key in the repository would set off every
 * secret scanner; Node makes keys but no certificates, and openssl is not on every machine.
 * @param name of the server, or its IPv4 address
 * @returns both as PEM
 */
export function makeCertificate(
  name = '127.0.0.1',
  kind: 'ec' | 'rsa' = 'ec',
): { key: string; cert: string } {
  const { publicKey, privateKey } =
    kind === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = der(SEQUENCE, oid(kind), kind === 'ec' ? [] : [0x05, 0]);
  const subject = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, oid('commonName'), der(UTF8, Buffer.from('plant-store test')))),
  );
  const altName = isIPv4(name) ? der(0x87, name.split('.').map(Number)) : der(0x82, Buffer.from(name));
  const extensions = [
    der(SEQUENCE, oid('subjectAltName'), der(OCTET_STRING, der(SEQUENCE, altName))),
    der(SEQUENCE, oid('basicConstraints'), der(OCTET_STRING, der(SEQUENCE, der(BOOLEAN, [0xff])))),
  ];
  const now = Date.now();
  const toBeSigned = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, [2])),
    der(INTEGER, [1], randomBytes(8)),
    algorithm,
    subject,
    der(SEQUENCE, time(now - 60_000), time(now + 24 * 60 * 60_000)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  );
  const signature = der(BIT_STRING, [0], sign('sha256', toBeSigned, privateKey));
  const base64 = der(SEQUENCE, toBeSigned, algorithm, signature).toString('base64');
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
  };
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

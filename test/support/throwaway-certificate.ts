import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A TLS server's key and its self-signed certificate, both PEM. */
export interface ThrowawayCertificate {
  readonly key: string;
  readonly cert: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
/** Context-specific tags of RFC 5280 §4.1: the version, the extensions, and an IP address among the names. */
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const IP_ADDRESS = 0x87;

/** Object identifiers, encoded: ecdsa-with-SHA256, commonName and subjectAltName. */
const ECDSA_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');

/**
 * Makes a certificate for 127.0.0.1 that is good for a day and for nobody else: a key that is kept in a repository
 * would set off every secret scanner, and Node can make keys but no certificates (RFC 5280 §4.1).
 */
export function throwawayCertificate(now: Date = new Date()): ThrowawayCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, ECDSA_SHA256);
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from('plant-store test')))),
  );
  const address = der(SEQUENCE, der(IP_ADDRESS, Buffer.from([127, 0, 0, 1])));
  const extension = der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTET_STRING, address));
  const body = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    // The first byte keeps the number positive, and without a leading zero.
    der(INTEGER, Buffer.from([1, ...randomBytes(8)])),
    algorithm,
    name,
    der(SEQUENCE, time(now, -1), time(now, 1)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, extension)),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = der(SEQUENCE, body, algorithm, der(BIT_STRING, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

function time(now: Date, days: number): Buffer {
  const iso = new Date(now.getTime() + days * 86_400_000).toISOString();
  return der(UTC_TIME, Buffer.from(`${iso.slice(2, 19).replace(/\D/g, '')}Z`));
}

/** One value in DER: its tag, its length and its content (X.690 §8.1). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length > 0xff ? [0x82, length >> 8, length & 0xff] : [0x81, length];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

import { PlantStoreError } from './errors.ts';
import { type HeaderSource, headerValues } from './headers.ts';
import { isTokenFormat } from './token-format.ts';

/** The scheme's name has no case and one or more spaces follow it (RFC 9110 §11.1 and §11.4, RFC 6750 §2.1). */
const BEARER = /^bearer(?: +(.*))?$/i;

/**
 * Takes the access token out of a request.
 * @returns a token of the right shape and checksum; whether it was issued is for the look-up to say
 * @throws PlantStoreError 40101 when there is none, 40102 when it is malformed or Authorization was given twice
 */
export function bearerToken(event: HeaderSource): string {
  const values = headerValues(event, 'authorization');
  if (values.length > 1) throw new PlantStoreError('INVALID_TOKEN');
  const token = BEARER.exec(values[0] ?? '')?.[1];
  if (!token) throw new PlantStoreError('NO_TOKEN');
  if (!isTokenFormat(token)) throw new PlantStoreError('INVALID_TOKEN');
  return token;
}

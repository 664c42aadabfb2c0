import { createHash, createHmac } from 'node:crypto';

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Signs a call of DynamoDB (AWS Signature Version 4, "Create a signed AWS API request").
 * @param headers those that are signed, in the order of their names
 * @param access the access key, and the Region
 * @returns the header Authorization
 */
export function authorizationOf(
  headers: Readonly<Record<string, string>>,
  body: string,
  access: { readonly keyId: string; readonly secret: string; readonly region: string },
): string {
  const time = headers['x-amz-date'] ?? '';
  const day = time.slice(0, 8);
  const scope = `${day}/${access.region}/dynamodb/aws4_request`;
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = `POST\n/\n\n${lines.join('')}\n${names}\n${sha256(body)}`;
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`;
  const ofRegion = hmac(hmac(`AWS4${access.secret}`, day), access.region);
  const signature = hmac(['dynamodb', 'aws4_request'].reduce(hmac, ofRegion), toSign).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${access.keyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}

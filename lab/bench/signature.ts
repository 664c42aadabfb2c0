import type { IncomingMessage } from 'node:http';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { CREDENTIALS, REGION } from '../../.ci/runtime/lambda-environment.ts';

const signer = new SignatureV4({
  service: 'dynamodb',
  region: REGION,
  credentials: CREDENTIALS,
  sha256: Sha256,
  // Adds no headers: signs only the headers that the request's signature covers.
  applyChecksum: false,
});

/** Whether AWS's own signer computes the same signature over the same headers of a request. */
export async function isSignedCorrectly(request: IncomingMessage, body: string): Promise<boolean> {
  const { authorization = '', ...headers } = request.headers as Record<string, string>;
  const covered = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const signed = await signer.sign(
    {
      method: request.method ?? '',
      protocol: 'https:',
      hostname: headers.host ?? '',
      path: request.url ?? '',
      headers: Object.fromEntries(covered.map((name) => [name, headers[name] ?? ''])),
      body,
    },
    { signingDate: dateOf(headers['x-amz-date'] ?? '') },
  );
  const signature = (text: string | undefined) => /Signature=(\w+)/.exec(text ?? '')?.[1];
  return signature(signed.headers.authorization) === signature(authorization);
}

function dateOf(time: string): Date {
  return new Date(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

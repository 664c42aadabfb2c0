import { Failure } from '../errors.ts';

// Tested by test/lambda/request/proxy-event.test.ts.

/** How U+FFFD, the replacement character, is written in UTF-8. */
const REPLACEMENT = Buffer.from('\ufffd');

/** The failure for a body that is not UTF-8, most often one in Latin-1. It says which byte is the first wrong one. */
export function notUtf8(bytes: Buffer): Failure {
  let at = 0;
  for (const text of bytes.toString().split('\ufffd')) {
    at += Buffer.byteLength(text);
    // A body may have the character itself.
    if (!bytes.subarray(at, at + REPLACEMENT.length).equals(REPLACEMENT)) break;
    at += REPLACEMENT.length;
  }
  const message = `The body is not UTF-8: byte ${at + 1}, counted from 1, is wrong; encode the whole body as UTF-8, not as Latin-1 or Windows-1252.`;
  return new Failure('INVALID_JSON', { message });
}

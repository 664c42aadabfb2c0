import type { IncomingMessage } from 'node:http';

/**
 * Reads a body to its end, even if it is too large: if its connection broke earlier, the client would get no answer.
 * @returns 'gone' if the client disconnected
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | 'too large' | 'gone'> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
    }
  } catch {
    return 'gone';
  }
  return size > maxBytes ? 'too large' : Buffer.concat(chunks);
}

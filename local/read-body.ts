import type { IncomingMessage } from 'node:http';

/**
 * Reads a body to its end, even if it is too large: if its connection broke earlier, the client would get no response.
 * @param maxBytes the largest body; of a larger one nothing is held
 * @returns 'gone' if the client disconnected
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | 'too large' | 'gone'> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isHeld = Number(request.headers['content-length'] ?? 0) <= maxBytes;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > maxBytes) isHeld = false;
      if (isHeld) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    return 'gone';
  }
  return isHeld ? Buffer.concat(chunks) : 'too large';
}

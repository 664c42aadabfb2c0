import type { IncomingMessage } from 'node:http';

/** A body up to this size is held without asking: about the memory of a connection, which nobody counts either. */
const SMALL_BYTES = 16 * 1024;

/**
 * Reads a body to its end, even if it is too large: if its connection broke earlier, the client would get no response.
 * While it waits, the client cannot send more than fits into the buffers of the connection.
 * @param maxBytes the largest body; of a larger one nothing is held
 * @param beforeLarge called once for a body over {@link SMALL_BYTES}, before more of it is read
 * @returns 'gone' if the client disconnected
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  beforeLarge = async () => {},
): Promise<Buffer | 'too large' | 'gone'> {
  const chunks: Buffer[] = [];
  let isHeld = Number(request.headers['content-length'] ?? 0) <= maxBytes;
  let isLarge = false;
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > maxBytes) isHeld = false;
      if (!isHeld) chunks.length = 0;
      else chunks.push(chunk);
      if (isHeld && !isLarge && size > SMALL_BYTES) {
        isLarge = true;
        await beforeLarge();
      }
    }
  } catch {
    return 'gone';
  }
  return isHeld ? Buffer.concat(chunks) : 'too large';
}

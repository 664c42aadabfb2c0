import { createRequire } from 'node:module';

const { writeSync } = createRequire(import.meta.url)('node:fs') as typeof import('node:fs');

/** The current request; each log line has its id. */
export const current = { requestId: '-' };

/**
 * Replaces Node's console with the Lambda runtime's: each line is one JSON object, written synchronously to a file
 * descriptor of the platform after a header of 16 bytes.
 * @returns a function that returns the number of bytes of JSON written so far
 */
export function lambdaConsole(fd: number): () => number {
  let bytes = 0;
  const header = Buffer.alloc(16);
  const at = (level: string) => (message: unknown) => {
    const now = new Date();
    const line = { timestamp: now.toISOString(), level, requestId: current.requestId, message };
    const text = Buffer.from(`${JSON.stringify(line)}\n`);
    header.writeUInt32BE(text.length, 4);
    header.writeBigInt64BE(BigInt(now.valueOf()) * 1000n, 8);
    writeSync(fd, header);
    writeSync(fd, text);
    bytes += text.length;
  };
  for (const name of ['trace', 'debug', 'info', 'warn', 'error'] as const)
    console[name] = at(name.toUpperCase());
  console.log = console.info;
  return () => bytes;
}

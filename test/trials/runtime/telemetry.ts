/** A record that the runtime client hands to Lambda, which writes its line to the function's log group. */
export interface LogRecord {
  readonly format: 'JSON' | 'text';
  readonly level: string;
  readonly line: string;
}

const HEADER_BYTES = 16;
/** The first two bytes of every record. */
const MAGIC = 0xa55a;
/** The lowest two bits of the type; the others are the level. */
const FORMATS: Readonly<Record<number, LogRecord['format']>> = { 2: 'JSON', 3: 'text' };
const LEVELS = ['', 'TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/**
 * Reads the records that the runtime client writes to the file descriptor in `_LAMBDA_TELEMETRY_LOG_FD`: type (4 bytes),
 * length (4), time (8), text.
 * @throws Error if the bytes are something else
 */
export function readTelemetry(bytes: Buffer): LogRecord[] {
  const records: LogRecord[] = [];
  for (let start = 0; start < bytes.length; ) {
    const [magic, type] = [bytes.readUInt16BE(start), bytes.readUInt16BE(start + 2)];
    const format = FORMATS[type & 3];
    if (magic !== MAGIC || format === undefined) throw new Error(`Not a record at byte ${start}.`);
    const end = start + HEADER_BYTES + bytes.readUInt32BE(start + 4);
    const line = bytes.toString('utf8', start + HEADER_BYTES, end);
    records.push({ format, level: LEVELS[type >> 2] ?? '', line });
    start = end;
  }
  return records;
}

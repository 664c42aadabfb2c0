/** A log's file is a sequence of blocks of this many bytes (LevelDB, doc/log_format.md; so is all below). */
const BLOCK_BYTES = 32_768;
/** A record's header: a checksum of four bytes, a length of two, a type of one. */
const HEADER_BYTES = 7;
/** The types of records: a whole entry, or the first, a middle or the last part of one. */
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/**
 * Checks a log of LevelDB, which itself skips what it cannot read without a word, and then deletes the log.
 * @returns `cut` if the log ends within an entry, as after a kill in the middle of a write; `damaged` if an entry before its
 * end is not as it was written
 */
export function logState(log: Buffer): 'whole' | 'cut' | 'damaged' {
  let isWithinEntry = false;
  for (let at = 0; at < log.length; ) {
    const left = BLOCK_BYTES - (at % BLOCK_BYTES);
    if (left < HEADER_BYTES) {
      // The trailer of a block, in which no header has room.
      at += left;
      continue;
    }
    if (at + HEADER_BYTES > log.length) return 'cut';
    const length = log.readUInt16LE(at + 4);
    const type = log[at + 6] ?? 0;
    const end = at + HEADER_BYTES + length;
    if (HEADER_BYTES + length > left) return 'damaged';
    if (end > log.length) return 'cut';
    // After a power failure, the end of a file can be zeros.
    if (type === 0 && length === 0) return log.subarray(at).every((byte) => byte === 0) ? 'cut' : 'damaged';
    const continues = type === MIDDLE || type === LAST;
    if (!continues && type !== FULL && type !== FIRST) return 'damaged';
    if (continues !== isWithinEntry || log.readUInt32LE(at) !== masked(crc32c(log.subarray(at + 6, end))))
      return 'damaged';
    isWithinEntry = type === FIRST || type === MIDDLE;
    at = end;
  }
  return isWithinEntry ? 'cut' : 'whole';
}

/** CRC-32C (RFC 3720, appendix B.4), by one table of 256 entries. Node's own CRC-32 has another polynomial. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

function crc32c(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** LevelDB keeps a checksum rotated by 15 bits, plus a constant. */
function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** One row per byte: the byte after eight steps of the polynomial division (ISO-HDLC, reflected 0x04C11DB7). */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let row = byte;
  for (let bit = 0; bit < 8; bit += 1) row = (row >>> 1) ^ (row & 1 ? 0xedb88320 : 0);
  return row;
});

/**
 * CRC-32 as in zlib. Not node:zlib's: each new process would compile that module's 33 KB of source, for checksums of a few
 * hundred bytes.
 */
export function crc32(data: Uint8Array): number {
  let crc = -1;
  // An index takes a third of an iterator's time.
  for (let n = 0; n < data.length; n += 1)
    crc = (crc >>> 8) ^ (TABLE[(crc ^ (data[n] as number)) & 0xff] as number);
  return ~crc >>> 0;
}

import { type Fields, fail, fieldsOf, textOf } from './fields.ts';

const PIECE_FIELDS = ['prefix', 'repeat', 'times', 'suffix', 'bytes'];

/**
 * The bytes that a case sends.
 * @returns undefined where it sends no body at all
 * @throws Error naming the case
 */
export function readBody(fields: Fields, name: string): Buffer | undefined {
  const { body, hex, large } = fields;
  const bodies = [body, hex, large].filter((each) => each !== undefined);
  if (bodies.length > 1) fail(name, 'give one of body, hex and large');
  if (body !== undefined) return Buffer.from(textOf(body, name, 'body'));
  if (hex !== undefined) return bytesOf(textOf(hex, name, 'hex'), name);
  if (large !== undefined) return Buffer.from(readPieces(large, name));
  return undefined;
}

function bytesOf(hex: string, name: string): Buffer {
  const digits = hex.replaceAll(' ', '');
  if (!/^(?:[0-9a-f]{2})*$/i.test(digits)) fail(name, 'hex must be pairs of hex digits');
  return Buffer.from(digits, 'hex');
}

/** Puts a text together from a piece, or a list of pieces. @throws Error naming the case */
export function readPieces(value: unknown, name: string): string {
  const pieces = Array.isArray(value) ? value : [value];
  return pieces.map((piece) => readPiece(piece, name)).join('');
}

function readPiece(value: unknown, name: string): string {
  const fields = fieldsOf(value, PIECE_FIELDS, name);
  const { prefix = '', repeat, times, suffix = '', bytes } = fields;
  if (!Number.isInteger(times) || Number(times) < 0) fail(name, 'times must be a whole number');
  const text =
    textOf(prefix, name, 'prefix') +
    textOf(repeat, name, 'repeat').repeat(Number(times)) +
    textOf(suffix, name, 'suffix');
  const length = Buffer.byteLength(text);
  if (bytes !== undefined && bytes !== length) fail(name, `bytes says ${bytes}, but there are ${length}`);
  return text;
}

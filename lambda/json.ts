import { parse } from 'lossless-json';
import { PlantStoreError } from './errors.ts';

/** A JSON number as it was written; what it is worth is decided where it is used, so no digit is lost. */
export class NumberLiteral {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

/**
 * Parses one JSON text (RFC 8259). Numbers become {@link NumberLiteral}; a property given twice is an error unless
 * both values are the same.
 * @throws PlantStoreError 40001 when the text is not JSON, or nested too deep for the stack (never at 1,000 levels)
 */
export function parseJson(text: string): unknown {
  try {
    return parse(text, undefined, { parseNumber: (literal) => new NumberLiteral(literal) });
  } catch {
    throw new PlantStoreError('INVALID_JSON');
  }
}

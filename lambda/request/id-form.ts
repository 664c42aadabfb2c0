import { type Json, NumberLiteral } from '../json.ts';

/** How a number was written, if not in plain digits. */
export type IdForm = 'exponent' | 'fraction';

/** From here on, some languages write an id with an exponent or a fraction, and only after they have rounded it. */
const LONG_ID = /\d{15}/;

/**
 * How a long id was written, if not in plain digits.
 * @param sent as it was parsed
 * @param id the same, as it is stored
 */
export function idFormOf(sent: Json | undefined, id: string): IdForm | undefined {
  if (!(sent instanceof NumberLiteral) || !LONG_ID.test(id)) return undefined;
  if (/e/i.test(sent.text)) return 'exponent';
  return sent.text.includes('.') ? 'fraction' : undefined;
}

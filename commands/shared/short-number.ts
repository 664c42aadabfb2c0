import { MAX_NUMBER_CHARACTERS } from '../../lambda/limits.ts';

/** A number of DynamoDB in a form that the service reads: a small one may be written with more zeros than a literal may have. */
export function shortNumber(text: string): string {
  if (text.length <= MAX_NUMBER_CHARACTERS) return text;
  return text.replace(
    /^(-?)0\.(0+)([1-9]\d*)$/,
    (_, sign: string, zeros: string, digits: string) => `${sign}${digits}e-${zeros.length + digits.length}`,
  );
}

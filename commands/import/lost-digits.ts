import { withoutZeros } from '../../lambda/property-types/int64.ts';

/** From here on, a double may be the value of several integers. */
export const UNSAFE = 2n ** 53n;
/** So many ids are no chance: about one of 256 large ids is the value of a double. */
const MANY = 10;

/** Watches for ids that have all lost digits: a tool that reads ids as doubles writes them in plain digits again. */
export function lostDigits() {
  let large = 0;
  let rounded = 0;
  return {
    /** @param id a text is no number, and cannot lose digits */
    see(id: bigint | string): void {
      if (typeof id === 'string' || (id < UNSAFE && id > -UNSAFE)) return;
      large += 1;
      if (BigInt(Number(id)) === id || isFilledUp(String(id))) rounded += 1;
    },
    /** @returns undefined if there is no reason for one */
    warning(): string | undefined {
      if (large < MANY || rounded < large) return undefined;
      return `All ${large} ids from 2^53 on are values of floating-point numbers: the tool that wrote them may have changed ids. Compare some with the source.`;
    },
  };
}

/** Whether the last digits are the zeros with which a tool fills up the 15 or 17 digits that it keeps of a double. */
function isFilledUp(id: string): boolean {
  const digits = id.replace('-', '');
  return withoutZeros(digits).length <= (digits.length > 17 ? 17 : 15);
}

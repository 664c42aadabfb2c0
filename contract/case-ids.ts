import type { ContractCase } from './contract-case.ts';

/** The cases, each refused one with the id that must not be in the table, if that is known. */
export function withAbsentIds(cases: readonly ContractCase[]): ContractCase[] {
  const stored = new Set(
    cases.flatMap(({ given, expected }) => [
      ...given.map((body) => idIn(body)),
      expected.status === 200 ? expected.stored : undefined,
    ]),
  );
  return cases.map((each) => {
    const { body, given, expected } = each;
    if (expected.status === 200 || expected.absent !== undefined) return each;
    const id = idIn(body);
    // A given plant may have the same id, written differently.
    return given.length > 0 || stored.has(id) ? each : { ...each, expected: { ...expected, absent: id } };
  });
}

/** An id in plain digits, in a text that has no other property of this name. */
const PLAIN_ID = /"id"[ \t\r\n]*:[ \t\r\n]*(0|-?[1-9]\d*)(?=[ \t\r\n]*[,}])/g;

/** @returns the id in a body; undefined if it is not written in plain digits, or not certain */
export function idIn(body: Buffer | undefined): string | undefined {
  const [first, ...others] = body?.toString('latin1').matchAll(PLAIN_ID) ?? [];
  return others.length === 0 ? first?.[1] : undefined;
}

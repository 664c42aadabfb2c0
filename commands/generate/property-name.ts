/** Names that no property can have, and why. */
const REFUSED = new Map([
  ['', 'DynamoDB has no attribute without a name'],
  ['__proto__', 'JavaScript would take its value for the prototype of an object, and lose it'],
  ['hasOwnProperty', 'redocly lint calls it'],
]);

/** Control characters would break lines of CSV and of the documents; the cases of the contract have placeholders in these brackets. */
const REFUSED_CHARACTER = /[\p{Cc}\p{Cs}⟨⟩]/u;

/** What is wrong with the name of a property, or undefined. @param isOfPlant whether it is one of a plant, and not of an object in it */
export function faultOfName(name: string, isOfPlant: boolean): string | undefined {
  const reason = REFUSED.get(name);
  if (reason !== undefined) return `is no name of a property, because ${reason}: rename it`;
  if (isOfPlant && name === 'refused')
    return 'is no name of a property, because an import writes there why it refused a line: rename it';
  if (/^\d+$/.test(name))
    return 'is no name of a property, because JavaScript would put it before the others: rename it';
  return REFUSED_CHARACTER.test(name)
    ? 'is no name of a property, because it has a control character, or ⟨ or ⟩: rename it'
    : undefined;
}

import { expect, test } from 'vitest';
import { PlainError } from '../../cli/plain-error.ts';
import { HOUSE, testOfHouse } from './test-house.ts';
import { withTextKey } from './text-key.ts';

const contract = (
  id: string,
  said = '      Every integer is kept.\n\n      Check your client.\n',
) => `      ## The id

${said}
      ## Texts
    NewPlant:
      properties:
        id:
${id}        name:
          type: string
`;
const TREE = new Map([
  [
    'contract/openapi.yaml',
    contract(`          description: |
            Identification number of the plant. Use
            a 64-bit integer.
          type: integer
          format: int64
          examples: [7, 8]
`),
  ],
]);

test('a text key is like the example, and the examples of the contract are numbered', () => {
  expect(withTextKey(TREE, 'SHP-00012345', 'shipment')?.get('contract/openapi.yaml')).toBe(
    contract(
      `          description: Identification of the shipment, supplied by the caller.
          type: string
          pattern: '^SHP-[0-9]{8}$'
          maxLength: 12
          examples: [SHP-00000007, SHP-00000008]
`,
      `      An id is a text of the form that its \`pattern\` allows, and is kept as it is. Anything else is refused with 40002. A JSON
      number, whose value is that of another property, may have at most 128 characters.
`,
    ),
  );
});

testOfHouse('with a text key, the contract and the first pages say nothing of an int64', () => {
  const made = withTextKey(HOUSE, 'SHP-00012345', 'shipment');
  for (const file of ['contract/openapi.yaml', 'README.md'])
    expect(made?.get(file), file).not.toMatch(/int64|64-bit/);
});

test.each(['SHP-1234567', '00012345', 'SHP 00012345', "'-00012345"])(
  'no text key is like an example that the tests cannot number, or that YAML or a pattern would misread: %s',
  (example) => expect(withTextKey(TREE, example, 'shipment')).toBeUndefined(),
);

test.each([
  contract('          type: string\n'),
  TREE.get('contract/openapi.yaml')?.replace('The id', 'Ids') ?? '',
])('a contract whose id is a text already, or which does not say what an id is, is refused: %#', (text) => {
  expect(() => withTextKey(new Map([['contract/openapi.yaml', text]]), 'SHP-00012345', 'shipment')).toThrow(
    new PlainError('contract/openapi.yaml has no id that is an int64, or no section "The id".'),
  );
});

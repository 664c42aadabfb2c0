import { expect, test } from 'vitest';
import { PlainError } from '../../cli/plain-error.ts';
import { withTextKey } from './text-key.ts';

const contract = (id: string) => `    NewPlant:
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
    contract(`          description: Identification of the shipment, supplied by the caller.
          type: string
          pattern: '^SHP-[0-9]{8}$'
          maxLength: 12
          examples: [SHP-00000007, SHP-00000008]
`),
  );
});

test.each(['SHP-1234567', '00012345', 'SHP 00012345', "'-00012345"])(
  'no text key is like an example that the tests cannot number, or that YAML or a pattern would misread: %s',
  (example) => expect(withTextKey(TREE, example, 'shipment')).toBeUndefined(),
);

test('a contract whose id is a text already is refused', () => {
  const text = new Map([['contract/openapi.yaml', contract('          type: string\n')]]);
  expect(() => withTextKey(text, 'SHP-00012345', 'shipment')).toThrow(
    new PlainError('contract/openapi.yaml has no id that is an int64.'),
  );
});

import { tableIn } from './document.ts';
import type { Property } from './model.ts';
import { isNote } from './property-kind.ts';

/** It has the table. */
export const CLIENTS = 'docs/clients.md';

/**
 * Makes the table of properties. The meaning of a property stays as it was written by hand while the cell before it is the same: its type,
 * and whether it is required.
 */
export function withPropertiesTable(text: string, model: readonly Property[]): string {
  const table = tableIn(CLIENTS, text, 'properties');
  return table.withRows(
    model.map(({ name, schema, required }) => {
      const cell = inCell(`\`${name}\``);
      const type = `${inCell(typeIn(schema))}, ${required ? 'required' : 'optional'}`;
      const [, typeBefore, written = ''] = table.cellsOf(cell);
      return [cell, type, (typeBefore === type && written) || inCell(meaningOf(schema))];
    }),
  );
}

function typeIn({
  type,
  description: _,
  examples: __,
  items,
  properties = {},
  required = [],
  ...keywords
}: Property['schema']): string {
  const words = Object.entries(keywords)
    .filter(([name]) => !isNote(name))
    .map(([name, value]) =>
      name === 'format' ? value : `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
    );
  const parts = Object.entries(properties).map(
    ([name, part]) => `\`${name}\` (${typeIn(part)}${required.includes(name) ? ', required' : ''})`,
  );
  const whole = items ? `${type} of (${typeIn(items)})` : [type, ...parts].join(' ');
  return [whole, ...words].join(', ');
}

/** A text in which nothing ends the cell. */
function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** The description without its period, in one line. */
function meaningOf({ description = '' }: Property['schema']): string {
  return description
    .trim()
    .replace(/\.$/, '')
    .replaceAll(/\s*\n\s*/g, ' ');
}

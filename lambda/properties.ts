// `npm run generate` writes this file from NewPlant in contract/openapi.yaml.
import { integer } from './property-types/integer.ts';
import { text } from './property-types/text.ts';

/** The properties of a plant, in the order of the response. */
export const PROPERTIES = {
  id: { type: integer(), required: true },
  name: { type: text(), required: true },
  tag: { type: text(), required: false },
} as const;

import { IS_NUMBER, idJson } from '../../contract/key.ts';
import { exampleOf, type Property } from './model.ts';

/** As a number, one that JavaScript rounds. As a text, an id of 16 digits could be reserved for `npm run verify`. */
const ID = IS_NUMBER ? '9007199254740993' : '993';

/** The plant that all pages send: its id as JSON, and its other required properties. */
export function plantOfPages(model: readonly Property[]): { id: string; plant: object } {
  return {
    id: idJson(ID),
    plant: exampleOf(model.filter(({ name, required }) => name !== 'id' && required)),
  };
}

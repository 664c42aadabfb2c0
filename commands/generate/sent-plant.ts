import { IS_NUMBER } from '../../contract/key.ts';
import { exampleOf, type Property } from './model.ts';

/** As a number, one that JavaScript rounds. As a text, an id of 16 digits could be reserved for `npm run verify`. */
export const ID = IS_NUMBER ? '9007199254740993' : '993';

/** The plant that the pages send, without its id. */
export const plantOf = (model: readonly Property[]) =>
  exampleOf(model.filter(({ name, required }) => name !== 'id' && required));

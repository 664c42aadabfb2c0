import { bareHandler } from './shared/bare.ts';
import { store } from './shared/store-by-hand.ts';

/** A floor: no framework and no SDK, only node:https and a signature written by hand. */
export const handler = bareHandler(store);

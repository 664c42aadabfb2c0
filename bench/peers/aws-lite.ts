import { bareHandler } from './shared/bare.ts';
import { store } from './shared/store-aws-lite.ts';

/** No framework, aws-lite in place of the official SDK. */
export const handler = bareHandler(store);

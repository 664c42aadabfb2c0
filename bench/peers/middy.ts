import middy from '@middy/core';
import { bareHandler } from './shared/bare.ts';
import { store } from './shared/store-document.ts';

/** middy's core around the bare handler: what ours is built on, without any measure against its cost. */
export const handler = middy(bareHandler(store));

import middy from '@middy/core';
import { bareHandler } from './shared/operation.ts';
import { store } from './shared/store-document.ts';

/** middy's core around the bare handler: the base of ours, without any optimization. */
export const handler = middy(bareHandler(store));

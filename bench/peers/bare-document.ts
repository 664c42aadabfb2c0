import { bareHandler } from './shared/bare.ts';
import { store } from './shared/store-document.ts';

/** No framework, `@aws-sdk/lib-dynamodb`. */
export const handler = bareHandler(store);

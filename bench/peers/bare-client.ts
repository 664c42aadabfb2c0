import { bareHandler } from './shared/bare.ts';
import { store } from './shared/store-client.ts';

/** No framework, `@aws-sdk/client-dynamodb`. */
export const handler = bareHandler(store);

import { type Connect, makeService } from './service.ts';
import { documentClient } from './store/store.ts';
import type { AcceptMore } from './tokens/access-token-table.ts';
import { connectWithoutTable } from './tokens/connect-without-table.ts';
import { acceptIdentityProvider } from './tokens/identity-provider.ts';

/** What accepts other tokens than those of the table. */
const ACCEPTED: readonly AcceptMore[] = [acceptIdentityProvider];

/** What else connects before the first request. */
const CONNECTED: readonly Connect[] = [connectWithoutTable];

/** The function as it is deployed: what `init.mjs` loads, as a bundle, in a process whose environment is that of a stage. */
export const { handler, connect } = makeService(
  process.env,
  documentClient(process.env),
  ACCEPTED,
  CONNECTED,
);

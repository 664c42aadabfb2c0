import { withTokenAdmin } from '../infra/access-tokens/with-token-admin.ts';
import { tokenDigest } from '../lambda/store/access-token-table.ts';
import type { DataFolder } from './data-folder.ts';
import { LOCAL_TABLES } from './local-tables.ts';

const NAME = 'local';

/**
 * The access token that `npm start` prints: the one in the data folder if it is valid, or else a new one.
 * @param folder keeps the token between starts; a service in memory gets a new token each time
 */
export async function localToken(folder: DataFolder | undefined): Promise<string> {
  return withTokenAdmin(LOCAL_TABLES.accessTokens, {}, async (admin) => {
    const { tokens } = await admin.list();
    const issued = tokens.filter(({ name }) => name === NAME);
    const kept = folder?.read('token');
    const found = kept && issued.find(({ digest }) => digest === tokenDigest(kept));
    if (kept && found && admin.isLive(found)) return kept;
    // Earlier tokens are lost or expired, and cannot be shown again.
    if (issued.length > 0) await admin.revokeAll(NAME);
    const { token } = await admin.issue(NAME);
    folder?.write('token', token);
    return token;
  });
}

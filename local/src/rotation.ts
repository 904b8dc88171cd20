/** Rotates the tokens of a data folder, for when somebody may have seen them. */
import type { StoredToken } from './access/storedToken.ts';
import type { Store } from './store/store.ts';
import { replaceTokens } from './token.ts';

/**
 * Replaces the API token and the personal token of the folder, and with `all` deletes the tokens that were created on
 * the deployment. Returns how many it deleted. A process that serves the folder has to restart afterwards.
 */
export async function rotateTokens(store: Store, folder: string, all: boolean): Promise<number> {
  await replaceTokens(folder);
  const created = all ? store.resources.list<StoredToken>('token') : [];
  for (const { id } of created) await store.resources.delete('token', id);
  return created.length;
}

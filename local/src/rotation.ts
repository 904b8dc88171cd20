/** Replaces the tokens of a data folder, for example after someone else may have seen them. */
import type { StoredToken } from './access/storedToken.ts';
import type { Store } from './store/store.ts';
import { replaceTokens } from './token.ts';

/** Replaces both tokens, which requires a restart. If `all`, also deletes the API tokens, and returns their number. */
export async function rotateTokens(store: Store, folder: string, all: boolean): Promise<number> {
  await replaceTokens(folder);
  const created = all ? store.resources.list<StoredToken>('token') : [];
  for (const { id } of created) await store.resources.delete('token', id);
  return created.length;
}

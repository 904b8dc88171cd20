/** Replaces the tokens of a data folder, for example because someone else may know them. */
import type { StoredToken } from './access/storedToken.ts';
import type { Store } from './store/store.ts';
import { replaceTokens } from './token.ts';

/** Replaces both tokens, which requires a restart. `all` also deletes the API tokens. Returns the number deleted. */
export async function rotateTokens(store: Store, folder: string, all: boolean): Promise<number> {
  await replaceTokens(folder);
  const created = all ? store.resources.list<StoredToken>('token') : [];
  for (const { id } of created) await store.resources.delete('token', id);
  return created.length;
}

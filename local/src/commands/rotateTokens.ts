/** `aplomb rotate-tokens --data FOLDER`: replaces the tokens of a data folder, even while a deployment is running. */
import { json } from 'node:stream/consumers';
import { counted } from '../../../formats/src/counts.ts';
import { rotateTokens as rotate } from '../rotation.ts';
import { send, withDeployment } from './serving.ts';

export async function rotateTokens(
  data: string,
  all: boolean,
  signal: AbortSignal,
): Promise<string> {
  const deleted = await withDeployment(data, {
    running: async (serving) => {
      const path = `/_local/rotate-tokens${all ? '?all=true' : ''}`;
      const answer = await send(serving, 'POST', path, signal);
      return ((await json(answer)) as { readonly deleted: number }).deleted;
    },
    stopped: (store, folder) => rotate(store, folder, all),
  });
  const created = all
    ? `${counted(deleted, 'created token')} ${deleted === 1 ? 'was' : 'were'} deleted.`
    : 'Created tokens are still valid; to delete them too, add --all.';
  return `${data}: the API token and the personal token were replaced. The new ones are in the files token and personal-token. ${created}`;
}

/** Saved queries: stored, and listed by dataset, owner and text. */
import type { SavedQuery } from '../../../api/src/index.ts';
import { addDocument, changeDocument, deleteDocument, getDocument, newId } from './documents.ts';
import type { Handlers } from './handler.ts';
import { LOCAL_USER_ID } from './identity.ts';
import { keptReply, readKept } from './keptQueries.ts';

export const savedQueryHandlers: Handlers = {
  listSavedQueries: ({ seen, query }) => {
    const offset = query.offset ?? 0;
    const text = query.qs?.toLowerCase();
    return seen
      .documents<SavedQuery>('saved query')
      .filter(
        (saved) =>
          (query.dataset === undefined || saved.dataset === query.dataset) &&
          isAskedFor(saved.who, query.who) &&
          (text === undefined ||
            saved.name.toLowerCase().includes(text) ||
            // One of another version may lack its query.
            (saved.query as Partial<SavedQuery['query']> | undefined)?.apl
              ?.toLowerCase()
              .includes(text)),
      )
      .slice(offset, query.limit === undefined ? undefined : offset + query.limit);
  },
  getSavedQuery: ({ store, params }) => getDocument<SavedQuery>(store, 'saved query', params.id),
  createSavedQuery: async (call) => {
    const { store, body } = call;
    const messages = await readKept(call, [body.query]);
    const id = newId();
    const saved = { who: LOCAL_USER_ID, ...body, id };
    return keptReply(await addDocument<SavedQuery>(store, 'saved query', id, saved), messages);
  },
  updateSavedQuery: async (call) => {
    const { store, params, body } = call;
    const messages = await readKept(call, [body.query]);
    const changed = await changeDocument<SavedQuery>(
      store,
      'saved query',
      params.id,
      ({ id, who }) => ({ ...(who === undefined ? {} : { who }), ...body, id }),
    );
    return keptReply(changed, messages);
  },
  deleteSavedQuery: ({ store, params }) => deleteDocument(store, 'saved query', params.id),
};

// Without a word about whose, one's own are meant.
function isAskedFor(owner: string | undefined, who: string | undefined): boolean {
  return who === 'all' || (owner ?? LOCAL_USER_ID) === (who ?? LOCAL_USER_ID);
}

/** Handles saved queries. Lists can be filtered by dataset, owner and text. */
import type { SavedQuery, SavedQueryWrite } from '../../../api/src/index.ts';
import { defined } from '../defined.ts';
import { checkDocumentQueries } from './documentQueries.ts';
import { documentHandlers } from './documents.ts';
import type { Handlers } from './handler.ts';
import { LOCAL_USER_ID } from './identity.ts';

const savedQueries = documentHandlers<SavedQuery, SavedQueryWrite>('saved query', {
  check: ({ query }, call) => checkDocumentQueries(call, [query]),
  created: (body, id) => ({ who: LOCAL_USER_ID, ...body, id }),
  updated: (body, { id, who }) => ({ ...defined({ who }), ...body, id }),
});

export const savedQueryHandlers = {
  listSavedQueries: ({ visible, query }) => {
    const offset = query.offset ?? 0;
    const text = query.qs?.toLowerCase();
    return visible
      .documents<SavedQuery>('saved query')
      .filter(
        (saved) =>
          (query.dataset === undefined || saved.dataset === query.dataset) &&
          isListedFor(saved.who, query.who) &&
          (text === undefined ||
            saved.name.toLowerCase().includes(text) ||
            // `query` may be missing in a saved query from another version.
            (saved.query as Partial<SavedQuery['query']> | undefined)?.apl
              ?.toLowerCase()
              .includes(text)),
      )
      .slice(offset, query.limit === undefined ? undefined : offset + query.limit);
  },
  getSavedQuery: savedQueries.get,
  createSavedQuery: savedQueries.create,
  updateSavedQuery: savedQueries.update,
  deleteSavedQuery: savedQueries.remove,
} satisfies Handlers;

/** Whether a list for `who` has the owner's queries. `who` is an owner, `all`, or by default the local user. */
function isListedFor(owner: string | undefined, who: string | undefined): boolean {
  return who === 'all' || (owner ?? LOCAL_USER_ID) === (who ?? LOCAL_USER_ID);
}

/** Kept queries: those that ran with `saveAsKind`, got by the id that their answers carried. */
import { ApiError } from '../errors.ts';
import type { Handlers } from './handler.ts';

export const historyHandlers: Handlers = {
  getKeptQuery: async ({ store, params }) => {
    const query = await store.history.get(params.id);
    if (query === undefined) {
      throw new ApiError('resource-not-found', {
        kind: 'kept query',
        id: JSON.stringify(params.id),
      });
    }
    return query;
  },
};

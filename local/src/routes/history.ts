/** Kept queries: those that ran with `saveAsKind`, got by the id that their answers carried. */
import { ApiError } from '../errors.ts';
import type { Handlers } from './handler.ts';

export const historyHandlers: Handlers = {
  getKeptQuery: async ({ seen, params }) => {
    const query = await seen.keptQuery(params.id);
    if (query === undefined) {
      throw new ApiError('resource-hidden', {
        kind: 'kept query',
        id: JSON.stringify(params.id),
      });
    }
    return query;
  },
};

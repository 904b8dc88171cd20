/** Kept queries: those that ran with `saveAsKind`, got by the id that their answers carried. */
import { ApiError } from '../errors.ts';
import type { Handlers } from './handler.ts';

export const historyHandlers: Handlers = {
  getHistoryQuery: async ({ visible, params }) => {
    const query = await visible.historyQuery(params.id);
    if (query === undefined) {
      throw new ApiError('resource-hidden', {
        kind: 'kept query',
        id: JSON.stringify(params.id),
      });
    }
    return query;
  },
};

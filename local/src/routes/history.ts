/** Returns the queries that were kept because of `saveAsKind`. */
import { ApiError } from '../errors.ts';
import type { Handlers } from './handler.ts';

export const historyHandlers = {
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
} satisfies Handlers;

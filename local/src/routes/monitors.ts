/** Stores monitors. The local deployment does not run them. */
import type { Monitor, MonitorWrite } from '../../../api/src/index.ts';
import { defined } from '../defined.ts';
import { ApiError } from '../errors.ts';
import { formatTime } from '../time.ts';
import { checkDocumentQueries, type Requester } from './documentQueries.ts';
import { documentHandlers } from './documents.ts';
import type { Handlers } from './handler.ts';
import { LOCAL_USER_ID } from './identity.ts';

const monitors = documentHandlers<Monitor, MonitorWrite>('monitor', {
  check: readMonitor,
  created: (body, id) => ({
    ...body,
    id,
    createdAt: formatTime(Date.now()),
    createdBy: LOCAL_USER_ID,
  }),
  updated: (body, { id, createdAt, createdBy }) => ({
    ...body,
    id,
    ...defined({ createdAt, createdBy }),
  }),
});

export const monitorHandlers = {
  listMonitors: ({ visible }) => visible.documents<Monitor>('monitor'),
  getMonitor: monitors.get,
  getMonitorHistory: (call) => {
    monitors.get(call);
    return [];
  },
  createMonitor: monitors.create,
  updateMonitor: monitors.update,
  deleteMonitor: monitors.remove,
} satisfies Handlers;

/** Returns notices about the APL query. Throws an ApiError for a syntax error or a missing query. */
async function readMonitor({ aplQuery = '', mplQuery = '' }: MonitorWrite, reader: Requester) {
  if (aplQuery.trim() === '' && mplQuery.trim() === '') {
    const problems = 'at least one of aplQuery and mplQuery must hold a query';
    throw new ApiError('bad-request', { problems });
  }
  return checkDocumentQueries(reader, [{ apl: aplQuery }]);
}

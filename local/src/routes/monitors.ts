/** Monitors: stored and listed. The local deployment does not run them. */
import type { Message, Monitor, MonitorWrite } from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';
import { formatTime } from '../time.ts';
import { addDocument, changeDocument, deleteDocument, getDocument, newId } from './documents.ts';
import type { Handlers } from './handler.ts';
import { LOCAL_USER_ID } from './identity.ts';
import { keptReply, type Reader, readKept } from './keptQueries.ts';

export const monitorHandlers: Handlers = {
  listMonitors: ({ seen }) => seen.documents<Monitor>('monitor'),
  getMonitor: ({ store, params }) => getDocument<Monitor>(store, 'monitor', params.id),
  getMonitorHistory: ({ store, params }) => {
    getDocument<Monitor>(store, 'monitor', params.id);
    // Monitors are not run here, so none has opened an alert.
    return [];
  },
  createMonitor: async (call) => {
    const { store, body } = call;
    const messages = await readMonitor(body, call);
    const id = newId();
    const createdAt = formatTime(Date.now());
    const monitor = await addDocument<Monitor>(store, 'monitor', id, {
      ...body,
      id,
      createdAt,
      createdBy: LOCAL_USER_ID,
    });
    return keptReply(monitor, messages);
  },
  updateMonitor: async (call) => {
    const { store, params, body } = call;
    const messages = await readMonitor(body, call);
    const monitor = await changeDocument<Monitor>(
      store,
      'monitor',
      params.id,
      ({ id, createdAt, createdBy }) => ({
        ...body,
        id,
        ...(createdAt === undefined ? {} : { createdAt }),
        ...(createdBy === undefined ? {} : { createdBy }),
      }),
    );
    return keptReply(monitor, messages);
  },
  deleteMonitor: ({ store, params }) => deleteDocument(store, 'monitor', params.id),
};

/** The notices about a monitor's query. A metrics query is kept as it is. Throws an ApiError. */
async function readMonitor(
  { aplQuery = '', mplQuery = '' }: MonitorWrite,
  reader: Reader,
): Promise<readonly Message[]> {
  if (aplQuery.trim() === '' && mplQuery.trim() === '') {
    const problems = 'at least one of aplQuery and mplQuery must hold a query';
    throw new ApiError('bad-request', { problems });
  }
  return readKept(reader, [{ apl: aplQuery }]);
}

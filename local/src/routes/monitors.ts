/** Monitors: stored and listed. The local deployment does not run them. */
import type { Monitor } from '../../../api/src/index.ts';
import { formatTime } from '../time.ts';
import { addDocument, changeDocument, deleteDocument, getDocument, newId } from './documents.ts';
import type { Handlers } from './handler.ts';
import { LOCAL_USER_ID } from './identity.ts';

export const monitorHandlers: Handlers = {
  listMonitors: ({ seen }) => seen.documents<Monitor>('monitor'),
  getMonitor: ({ store, params }) => getDocument<Monitor>(store, 'monitor', params.id),
  createMonitor: ({ store, body }) => {
    const id = newId();
    const createdAt = formatTime(Date.now());
    return addDocument<Monitor>(store, 'monitor', id, {
      ...body,
      id,
      createdAt,
      createdBy: LOCAL_USER_ID,
    });
  },
  updateMonitor: ({ store, params, body }) =>
    changeDocument<Monitor>(store, 'monitor', params.id, ({ id, createdAt, createdBy }) => ({
      ...body,
      id,
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(createdBy === undefined ? {} : { createdBy }),
    })),
  deleteMonitor: ({ store, params }) => deleteDocument(store, 'monitor', params.id),
};

/** Notifiers: stored and listed. The local deployment sends nothing. */
import type { Notifier } from '../../../api/src/index.ts';
import { formatTime } from '../time.ts';
import { addDocument, changeDocument, deleteDocument, getDocument, newId } from './documents.ts';
import type { Handlers } from './handler.ts';

export const notifierHandlers: Handlers = {
  listNotifiers: ({ seen }) => seen.documents<Notifier>('notifier'),
  getNotifier: ({ store, params }) => getDocument<Notifier>(store, 'notifier', params.id),
  createNotifier: ({ store, caller, body }) => {
    const id = newId();
    const createdAt = formatTime(Date.now());
    const made = { createdAt, createdBy: caller.userId, updatedAt: createdAt };
    return addDocument<Notifier>(store, 'notifier', id, { ...body, id, ...made });
  },
  updateNotifier: ({ store, params, body }) =>
    changeDocument<Notifier>(store, 'notifier', params.id, ({ id, createdAt, createdBy }) => ({
      ...body,
      id,
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(createdBy === undefined ? {} : { createdBy }),
      updatedAt: formatTime(Date.now()),
    })),
  deleteNotifier: ({ store, params }) => deleteDocument(store, 'notifier', params.id),
};

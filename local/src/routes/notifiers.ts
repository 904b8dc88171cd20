/** Stores notifiers. The local deployment sends no notifications. */
import type { Notifier, NotifierWrite } from '../../../api/src/index.ts';
import { defined } from '../defined.ts';
import { formatTime } from '../time.ts';
import { documentHandlers } from './documents.ts';
import type { Handlers } from './handler.ts';

const notifiers = documentHandlers<Notifier, NotifierWrite>('notifier', {
  created: (body, id, { caller }) => {
    const createdAt = formatTime(Date.now());
    return { ...body, id, createdAt, createdBy: caller.userId, updatedAt: createdAt };
  },
  updated: (body, { id, createdAt, createdBy }) => ({
    ...body,
    id,
    ...defined({ createdAt, createdBy }),
    updatedAt: formatTime(Date.now()),
  }),
});

export const notifierHandlers = {
  listNotifiers: ({ visible }) => visible.documents<Notifier>('notifier'),
  getNotifier: notifiers.get,
  createNotifier: notifiers.create,
  updateNotifier: notifiers.update,
  deleteNotifier: notifiers.remove,
} satisfies Handlers;

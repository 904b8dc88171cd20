/** Handles groups of users. Users have the roles of their groups. */
import type { Group, GroupWrite } from '../../../api/src/index.ts';
import { directoryOf } from '../access/directory.ts';
import type { Store } from '../store/store.ts';
import {
  changeDocument,
  checkReferences,
  deleteDocument,
  nameTaken,
  newId,
  recordOf,
} from './documents.ts';
import type { Handlers } from './handler.ts';

export const groupHandlers = {
  listGroups: ({ store }) => directoryOf(store.resources).list('group'),
  getGroup: ({ store, params }) => recordOf(store, 'group', params.id),
  createGroup: async ({ store, body }) => {
    const id = newId();
    await store.resources.change<Group>('group', id, () => checkedGroup(store, id, body));
    return recordOf(store, 'group', id);
  },
  updateGroup: async ({ store, params: { id }, body }) => {
    await changeDocument<Group>(store, 'group', id, () => checkedGroup(store, id, body));
    return recordOf(store, 'group', id);
  },
  deleteGroup: ({ store, params }) => deleteDocument(store, 'group', params.id),
} satisfies Handlers;

function checkedGroup(store: Store, id: string, body: GroupWrite): Group {
  const { name, members, roles } = body;
  const groups = directoryOf(store.resources).list('group');
  if (groups.some((group) => group.id !== id && group.name === name)) {
    throw nameTaken('group', name);
  }
  checkReferences(store, 'user', members);
  checkReferences(store, 'role', roles);
  return { ...body, id, isManaged: false };
}

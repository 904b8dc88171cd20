/** Handles groups of users, who have the roles of the group. No group is managed by an external service. */
import type { Group, GroupWrite } from '../../../api/src/index.ts';
import { directoryOf } from '../access/directory.ts';
import type { Store } from '../store/store.ts';
import {
  changeDocument,
  checkUnique,
  deleteDocument,
  newId,
  notFoundError,
  referenceMissing,
} from './documents.ts';
import type { Handlers } from './handler.ts';

export const groupHandlers = {
  listGroups: ({ store }) => directoryOf(store.resources).groups(),
  getGroup: ({ store, params }) => groupOf(store, params.id),
  createGroup: async ({ store, body }) => {
    const id = newId();
    await store.resources.change<Group>('group', id, () => checkedGroup(store, id, body));
    return groupOf(store, id);
  },
  updateGroup: async ({ store, params: { id }, body }) => {
    await changeDocument<Group>(store, 'group', id, () => checkedGroup(store, id, body));
    return groupOf(store, id);
  },
  deleteGroup: ({ store, params }) => deleteDocument(store, 'group', params.id),
} satisfies Handlers;

function groupOf(store: Store, id: string): Group {
  const group = directoryOf(store.resources).group(id);
  if (group === undefined) throw notFoundError('group', id);
  return group;
}

function checkedGroup(store: Store, id: string, body: GroupWrite): Group {
  const directory = directoryOf(store.resources);
  const others = directory.groups().filter((group) => group.id !== id);
  checkUnique(
    'group',
    body.name,
    others.map(({ name }) => name),
  );
  const user = body.members?.find((member) => directory.user(member) === undefined);
  if (user !== undefined) throw referenceMissing('user', user);
  const role = body.roles?.find((each) => directory.role(each) === undefined);
  if (role !== undefined) throw referenceMissing('role', role);
  return { ...body, id, isManaged: false };
}

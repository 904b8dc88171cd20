/** Handles roles: the base roles, which can't be changed, and roles that users create. */
import type { Role, RoleWrite } from '../../../api/src/index.ts';
import { baseRoles } from '../access/baseRoles.ts';
import { directoryOf } from '../access/directory.ts';
import { ApiError } from '../errors.ts';
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

export const roleHandlers = {
  listRoles: ({ store }) => directoryOf(store.resources).list('role'),
  getRole: ({ store, params }) => recordOf(store, 'role', params.id),
  createRole: async ({ store, body }) => {
    const id = newId();
    await store.resources.change<Role>('role', id, () => checkedRole(store, id, body));
    return recordOf(store, 'role', id);
  },
  updateRole: async ({ store, params: { id }, body }) => {
    checkCustom(id, 'changed');
    await changeDocument<Role>(store, 'role', id, () => checkedRole(store, id, body));
    return recordOf(store, 'role', id);
  },
  deleteRole: async ({ store, params: { id } }) => {
    checkCustom(id, 'deleted');
    return deleteDocument(store, 'role', id, () => checkUnused(store, id));
  },
} satisfies Handlers;

function checkUnused(store: Store, id: string): void {
  const users = directoryOf(store.resources)
    .list('user')
    .filter(({ role }) => role.id === id);
  if (users.length === 0) return;
  const names = users.map(({ name }) => name).join(', ');
  throw new ApiError('role-in-use', { id: JSON.stringify(id), users: names });
}

function checkCustom(id: string, done: string): void {
  if (!baseRoles.has(id)) return;
  throw new ApiError('built-in', { kind: 'role', id: JSON.stringify(id), done });
}

function checkedRole(store: Store, id: string, body: RoleWrite): Role {
  const roles = directoryOf(store.resources).list('role');
  if (roles.some((role) => role.id !== id && role.name === body.name)) {
    throw nameTaken('role', body.name);
  }
  checkReferences(store, 'user', body.members);
  return { ...body, id };
}

/** Handles roles: the base roles, which cannot be changed, and created ones. */
import type { Role, RoleWrite } from '../../../api/src/index.ts';
import { baseRoles } from '../access/baseRoles.ts';
import { directoryOf } from '../access/directory.ts';
import { ApiError } from '../errors.ts';
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

export const roleHandlers = {
  listRoles: ({ store }) => directoryOf(store.resources).roles(),
  getRole: ({ store, params }) => roleOf(store, params.id),
  createRole: async ({ store, body }) => {
    const id = newId();
    await store.resources.change<Role>('role', id, () => checkedRole(store, id, body));
    return roleOf(store, id);
  },
  updateRole: async ({ store, params: { id }, body }) => {
    checkCustom(id, 'changed');
    await changeDocument<Role>(store, 'role', id, () => checkedRole(store, id, body));
    return roleOf(store, id);
  },
  deleteRole: async ({ store, params: { id } }) => {
    checkCustom(id, 'deleted');
    return deleteDocument(store, 'role', id, () => checkUnused(store, id));
  },
} satisfies Handlers;

/** Throws an ApiError if users have the role. */
function checkUnused(store: Store, id: string): void {
  const users = directoryOf(store.resources)
    .users()
    .filter(({ role }) => role.id === id);
  if (users.length === 0) return;
  const names = users.map(({ name }) => name).join(', ');
  throw new ApiError('role-in-use', { id: JSON.stringify(id), users: names });
}

function roleOf(store: Store, id: string): Role {
  const role = directoryOf(store.resources).role(id);
  if (role === undefined) throw notFoundError('role', id);
  return role;
}

function checkCustom(id: string, done: string): void {
  if (!baseRoles.has(id)) return;
  throw new ApiError('built-in', { kind: 'role', id: JSON.stringify(id), done });
}

function checkedRole(store: Store, id: string, body: RoleWrite): Role {
  const directory = directoryOf(store.resources);
  const others = directory.roles().filter((role) => role.id !== id);
  checkUnique(
    'role',
    body.name,
    others.map(({ name }) => name),
  );
  const missing = body.members?.find((member) => directory.user(member) === undefined);
  if (missing !== undefined) throw referenceMissing('user', missing);
  return { ...body, id };
}

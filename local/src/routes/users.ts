/** Handles users: one permanent user, and others who can be given roles but can't sign in. */
import type { Role, User } from '../../../api/src/index.ts';
import { OWNER_ROLE_ID } from '../access/baseRoles.ts';
import { directoryOf, LOCAL_USER_ID } from '../access/directory.ts';
import { ApiError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import {
  checkUnique,
  deleteDocument,
  newId,
  notFoundError,
  referenceMissing,
} from './documents.ts';
import type { Handlers } from './handler.ts';

export const userHandlers = {
  listUsers: ({ store }) => directoryOf(store.resources).users(),
  getUser: ({ store, params }) => userOf(store, params.id),
  createUser: async ({ store, body }) => {
    const { name, email } = body;
    const role = roleOf(store, body.role);
    const id = newId();
    await store.resources.change<User>('user', id, () => {
      const users = directoryOf(store.resources).users();
      checkUnique(
        'user',
        email,
        users.map((user) => user.email),
      );
      return { id, name, email, role };
    });
    return userOf(store, id);
  },
  updateUserRole: async ({ store, params, body }) => {
    const role = roleOf(store, body.role);
    await store.resources.change<User>('user', params.id, () => {
      const user = userOf(store, params.id);
      if (role.id !== OWNER_ROLE_ID) checkOwnerRemains(store, user.id);
      return { ...user, role };
    });
    return userOf(store, params.id);
  },
  deleteUser: ({ store, params }) => {
    if (params.id === LOCAL_USER_ID) {
      const id = JSON.stringify(params.id);
      throw new ApiError('built-in', { kind: 'user', id, done: 'deleted' });
    }
    const check = () => checkOwnerRemains(store, params.id);
    return deleteDocument(store, 'user', params.id, check);
  },
} satisfies Handlers;

/** Throws an ApiError if the user is the only owner. */
function checkOwnerRemains(store: Store, userId: string): void {
  const owners = directoryOf(store.resources).role(OWNER_ROLE_ID)?.members ?? [];
  if (owners.length === 1 && owners[0] === userId) {
    throw new ApiError('last-owner', { id: JSON.stringify(userId) });
  }
}

/** Returns the user with an identifier. Throws an ApiError if there is none. */
export function userOf(store: Store, id: string): User {
  const user = directoryOf(store.resources).user(id);
  if (user === undefined) throw notFoundError('user', id);
  return user;
}

function roleOf(store: Store, text: string): User['role'] {
  const role: Role | undefined = directoryOf(store.resources).roleNamed(text);
  if (role === undefined) throw referenceMissing('role', text);
  return { id: role.id, name: role.name };
}

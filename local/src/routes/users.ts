/** Handles users. The local user is permanent. Other users can have roles, but can't sign in. */
import type { User } from '../../../api/src/index.ts';
import { OWNER_ROLE_ID } from '../access/baseRoles.ts';
import { directoryOf, LOCAL_USER_ID } from '../access/directory.ts';
import { ApiError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { deleteDocument, nameTaken, newId, recordOf, referenceMissing } from './documents.ts';
import type { Handlers } from './handler.ts';

export const userHandlers = {
  listUsers: ({ store }) => directoryOf(store.resources).list('user'),
  getUser: ({ store, params }) => recordOf(store, 'user', params.id),
  createUser: async ({ store, body }) => {
    const { name, email } = body;
    const role = roleOf(store, body.role);
    const id = newId();
    await store.resources.change<User>('user', id, () => {
      const users = directoryOf(store.resources).list('user');
      if (users.some((user) => user.email === email)) throw nameTaken('user', email);
      return { id, name, email, role };
    });
    return recordOf(store, 'user', id);
  },
  updateUserRole: async ({ store, params, body }) => {
    const role = roleOf(store, body.role);
    await store.resources.change<User>('user', params.id, () => {
      const user = recordOf(store, 'user', params.id);
      if (role.id !== OWNER_ROLE_ID) checkOwnerRemains(store, user.id);
      return { ...user, role };
    });
    return recordOf(store, 'user', params.id);
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

function checkOwnerRemains(store: Store, userId: string): void {
  const owners = directoryOf(store.resources).get('role', OWNER_ROLE_ID)?.members ?? [];
  if (owners.length === 1 && owners[0] === userId) {
    throw new ApiError('last-owner', { id: JSON.stringify(userId) });
  }
}

function roleOf(store: Store, text: string): User['role'] {
  const role = directoryOf(store.resources).roleNamed(text);
  if (role === undefined) throw referenceMissing('role', text);
  return { id: role.id, name: role.name };
}

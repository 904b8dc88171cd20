/** Who one is: the user of a personal token, and the one organisation. */
import type { Organization, User } from '../../../api/src/index.ts';
import { directoryOf, LOCAL_USER_ID } from '../access/directory.ts';
import { monthOf } from '../license/license.ts';
import type { Store } from '../store/store.ts';
import { notThere } from './documents.ts';
import type { Handlers } from './handler.ts';
import { userOf } from './users.ts';

export { LOCAL_USER_ID };

export const LOCAL_ORG_ID = 'local';

export const identityHandlers: Handlers = {
  getCurrentUser: ({ store, caller }) => userOf(store, caller.userId),
  updateCurrentUser: async ({ store, caller, body }) => {
    const user = userOf(store, caller.userId);
    await store.resources.change<User>('user', user.id, () => ({ ...user, name: body.name }));
    return userOf(store, user.id);
  },
  listOrganizations: ({ store }) => [organizationOf(store)],
  getOrganization: ({ store, params }) => {
    checkId(params.id);
    return organizationOf(store);
  },
  updateOrganization: async ({ store, params, body }) => {
    checkId(params.id);
    await store.resources.change('organisation', params.id, () => ({
      id: params.id,
      name: body.name,
    }));
    return organizationOf(store);
  },
};

function checkId(id: string): void {
  if (id !== LOCAL_ORG_ID) throw notThere('organisation', id);
}

// Nobody pays for it, so what the record requires of plan and payment says so.
function organizationOf({ license, resources, usage }: Store): Organization {
  const stored = resources.get<{ readonly name: string }>('organisation', LOCAL_ORG_ID);
  return {
    id: LOCAL_ORG_ID,
    name: stored?.name ?? 'Local',
    plan: 'personal',
    planCreated: license.issuedAt,
    paymentStatus: 'na',
    primaryEmail: directoryOf(resources).user(LOCAL_USER_ID)?.email ?? '',
    lastUsageSync: usage.lastSync.toISOString(),
    defaultEdgeDeployment: license.defaultEdgeDeployment,
    license: { ...license, ...monthOf(new Date()) },
  };
}

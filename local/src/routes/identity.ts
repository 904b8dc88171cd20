/** Handles requests about the current user, and about organizations. */
import type { Organization, User } from '../../../api/src/index.ts';
import { directoryOf, LOCAL_USER_ID } from '../access/directory.ts';
import { monthOf } from '../license/license.ts';
import type { StoredOrganization } from '../store/resources.ts';
import type { Store } from '../store/store.ts';
import { formatTime } from '../time.ts';
import { newId, notFoundError, recordOf } from './documents.ts';
import type { Handlers } from './handler.ts';

export { LOCAL_USER_ID };

export const LOCAL_ORG_ID = 'local';

export const identityHandlers = {
  getCurrentUser: ({ store, caller }) => recordOf(store, 'user', caller.userId),
  getCurrentUserV1: ({ store, caller }) => {
    const { id, name, email, role } = recordOf(store, 'user', caller.userId);
    return { id, name, email, role: role.name, permissions: caller.capabilities.list() };
  },
  updateCurrentUser: async ({ store, caller, body }) => {
    const user = recordOf(store, 'user', caller.userId);
    await store.resources.change<User>('user', user.id, () => ({ ...user, name: body.name }));
    return recordOf(store, 'user', user.id);
  },
  listOrganizations: ({ store }) =>
    organizationIds(store).map((id) => organizationRecord(store, id)),
  /** All organizations share the data of this deployment. */
  createOrganization: async ({ store, body }) => {
    const id = newId();
    await change(store, id, body.name);
    return organizationOf(store, id);
  },
  getOrganization: ({ store, params }) => organizationOf(store, params.id),
  updateOrganization: async ({ store, params, body }) => {
    organizationOf(store, params.id);
    await change(store, params.id, body.name);
    return organizationOf(store, params.id);
  },
} satisfies Handlers;

function organizationIds({ resources }: Store): string[] {
  const stored = resources.entries('organisation').map(([id]) => id);
  return [...new Set([LOCAL_ORG_ID, ...stored])];
}

async function change({ resources }: Store, id: string, name: string): Promise<void> {
  const modified = formatTime(Date.now());
  await resources.change<StoredOrganization>('organisation', id, (current) => ({
    id,
    name,
    ...(id === LOCAL_ORG_ID ? {} : { created: current?.created ?? modified }),
    modified,
    version: (current?.version ?? 1) + (current === undefined && id !== LOCAL_ORG_ID ? 0 : 1),
  }));
}

function organizationOf(store: Store, id: string): Organization {
  if (!organizationIds(store).includes(id)) throw notFoundError('organization', id);
  return organizationRecord(store, id);
}

// The schema requires a plan and a payment status, so use values for a free plan.
function organizationRecord(store: Store, id: string): Organization {
  const { license, resources, usage } = store;
  const stored = resources.get<StoredOrganization>('organisation', id);
  const created = stored?.created ?? license.issuedAt;
  const user = directoryOf(resources).get('user', LOCAL_USER_ID);
  return {
    id,
    name: stored?.name ?? 'Local',
    plan: 'personal',
    planCreated: created,
    paymentStatus: 'na',
    primaryEmail: user?.email ?? '',
    role: user?.role.name ?? '',
    lastUsageSync: usage.lastSync.toISOString(),
    defaultEdgeDeployment: license.defaultEdgeDeployment,
    metaCreated: created,
    metaModified: stored?.modified ?? created,
    metaVersion: String(stored?.version ?? 1),
    license: { ...license, ...monthOf(new Date()) },
  };
}

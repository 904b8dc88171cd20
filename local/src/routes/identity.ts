/**
 * Who uses the local deployment: one user in one organisation, with one token that may do everything.
 * It has no groups, and its own token is not a record, so that both lists are empty.
 */
import {
  ACTIONS,
  DATASET_FIELDS_MAX,
  ORG_CAPABILITIES,
  type Organization,
  type Role,
  type User,
} from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';
import type { Handlers } from './handler.ts';

export const LOCAL_USER_ID = 'local-user';
const LOCAL_ORG_ID = 'local';
const OWNER_ROLE_ID = 'owner';

const user: User = {
  id: LOCAL_USER_ID,
  name: 'Local user',
  email: 'local-user@localhost',
  role: { id: OWNER_ROLE_ID, name: 'Owner' },
};

const owner: Role = {
  id: OWNER_ROLE_ID,
  name: 'Owner',
  description: 'May do everything in the local deployment.',
  members: [LOCAL_USER_ID],
  orgCapabilities: Object.fromEntries(ORG_CAPABILITIES.map((name) => [name, [...ACTIONS]])),
};

// Nobody pays for it, so what the record requires of plan and payment says so; empty text stands where
// there is no date.
const organization: Organization = {
  id: LOCAL_ORG_ID,
  name: 'Local',
  plan: 'personal',
  planCreated: '',
  paymentStatus: 'na',
  primaryEmail: user.email,
  lastUsageSync: '',
  license: { tier: 'personal', maxFields: DATASET_FIELDS_MAX, maxUsers: 1 },
};

export const identityHandlers: Handlers = {
  getCurrentUser: () => user,
  listOrganizations: () => [organization],
  getOrganization: ({ params }) => {
    if (params.id !== LOCAL_ORG_ID) throw missing('organisation', params.id);
    return organization;
  },
  listRoles: () => [owner],
  listGroups: () => [],
  getGroup: ({ params }) => {
    throw missing('group', params.id);
  },
  listTokens: () => [],
  getToken: ({ params }) => {
    throw missing('token', params.id);
  },
};

function missing(kind: string, id: string): ApiError {
  return new ApiError('resource-not-found', { kind, id: JSON.stringify(id) });
}

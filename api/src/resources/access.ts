// Users, organizations, roles, groups and tokens, and their capabilities.
import { ACCESS_NAME_LENGTH_MAX } from '../limits.ts';
import {
  anyObject,
  dictionary,
  flag,
  integer,
  key,
  list,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
  timestamp,
  timestampOrNull,
} from '../schema.ts';

/** The spec shows `create` and `read`. The other actions are from other public sources. */
export const ACTIONS = ['create', 'read', 'update', 'delete'] as const;
export type Action = (typeof ACTIONS)[number];

/** Capabilities in the organization, with the actions of each. The names are in the spec. */
export const ORG_CAPABILITY_ACTIONS = {
  annotations: ACTIONS,
  apiTokens: ACTIONS,
  auditLog: ['read'],
  billing: ['read', 'update'],
  dashboards: ACTIONS,
  datasets: ACTIONS,
  endpoints: ACTIONS,
  flows: ACTIONS,
  integrations: ACTIONS,
  monitors: ACTIONS,
  notifiers: ACTIONS,
  rbac: ACTIONS,
  sharedAccessKeys: ['read', 'update'],
  users: ACTIONS,
  views: ACTIONS,
} as const satisfies Record<string, readonly Action[]>;

/** Capabilities on a dataset, with the actions of each. Not in the spec. */
export const DATASET_CAPABILITY_ACTIONS = {
  ingest: ['create'],
  query: ['read'],
  starredQueries: ACTIONS,
  virtualFields: ACTIONS,
  trim: ['update'],
  vacuum: ['update'],
  data: ['delete'],
  share: ['create', 'read', 'delete'],
} as const satisfies Record<string, readonly Action[]>;

/** Capabilities on a view, with the actions of each. Not in the spec. */
export const VIEW_CAPABILITY_ACTIONS = {
  query: ['read'],
  share: ['create', 'read', 'delete'],
} as const satisfies Record<string, readonly Action[]>;

/** Matches all datasets or all views. From public clients' tests against the service. */
export const EVERY_NAME = '*';

const actions = <const Values extends readonly Action[]>(values: Values) =>
  optional(list(oneOf([...values])));

function capabilities<const Table extends Readonly<Record<string, readonly Action[]>>>(
  table: Table,
) {
  return object(
    Object.fromEntries(
      Object.entries(table).map(([name, values]) => [name, actions(values)]),
    ) as unknown as { [N in keyof Table]: ReturnType<typeof actions<readonly Action[]>> },
  );
}

export const OrgCapabilities = capabilities(ORG_CAPABILITY_ACTIONS);

/** Keys are dataset names or `EVERY_NAME`. */
export const DatasetCapabilities = dictionary(capabilities(DATASET_CAPABILITY_ACTIONS));

/** Keys are view names or `EVERY_NAME`. */
export const ViewCapabilities = dictionary(capabilities(VIEW_CAPABILITY_ACTIONS));

const nameLength = { minLength: 1, maxLength: ACCESS_NAME_LENGTH_MAX };

const uniqueName = () => key(text('Name, unique in the organization.', nameLength));

const roleSettings = {
  name: uniqueName(),
  description: optional(text('Description of the role.')),
  members: optional(list(text(), { description: 'Identifiers of the users with this role.' })),
  datasetCapabilities: optional(DatasetCapabilities),
  viewCapabilities: optional(ViewCapabilities),
  orgCapabilities: optional(OrgCapabilities),
};

export const Role = object({
  id: key(text('Identifier assigned by the service.')),
  ...roleSettings,
});
export type Role = Static<typeof Role>;

/** Body that creates or changes a role. Not in the spec. */
export const RoleWrite = object(roleSettings);
export type RoleWrite = Static<typeof RoleWrite>;

const groupSettings = {
  name: uniqueName(),
  description: optional(text('Description of the group.')),
  members: optional(list(text(), { description: 'Identifiers of the users in the group.' })),
  roles: optional(list(text(), { description: 'Identifiers of the roles of its members.' })),
};

const isManaged = optional(flag('Whether the service manages the group.'));

export const Group = object({
  id: key(text('Identifier assigned by the service.')),
  ...groupSettings,
  isManaged,
});
export type Group = Static<typeof Group>;

/** Body that creates or changes a group. `isManaged` is ignored, because the service sets it. Not in the spec. */
export const GroupWrite = object(groupSettings);
export type GroupWrite = Static<typeof GroupWrite>;

const tokenName = () => key(text('Name of the token.', nameLength));
const tokenDetails = {
  viewCapabilities: optional(ViewCapabilities),
  description: optional(text('Description of the token.')),
  expiresAt: optional(timestampOrNull('Expiration time.')),
};

export const Token = object({
  id: key(text('Identifier assigned by the service.')),
  name: tokenName(),
  datasetCapabilities: DatasetCapabilities,
  orgCapabilities: OrgCapabilities,
  ...tokenDetails,
  samlAuthenticated: optional(flag('Whether the token was created through single sign-on.')),
});
export type Token = Static<typeof Token>;

/** Body that creates a token. Not in the spec. */
export const NewToken = object({
  name: tokenName(),
  datasetCapabilities: optional(DatasetCapabilities),
  orgCapabilities: optional(OrgCapabilities),
  ...tokenDetails,
});
export type NewToken = Static<typeof NewToken>;

/** A new token with its secret, which no other response contains. Not in the spec. */
export const TokenWithSecret = object({
  ...Token.properties,
  token: text('Secret of the token. Only this response contains it.'),
});
export type TokenWithSecret = Static<typeof TokenWithSecret>;

/** Body that regenerates a token. Not in the spec. */
export const TokenRegeneration = object({
  existingTokenExpiresAt: timestamp('Expiration time of the existing token.'),
  newTokenExpiresAt: optional(timestampOrNull('Expiration time of the new token.')),
  newToken: optional(NewToken),
});

export const PAYMENT_STATUSES = ['na', 'failed', 'success', 'blocked'] as const;

export const PLANS = [
  'personal',
  'basicDirect',
  'teamMonthlyDirect',
  'teamMonthlyProvider',
  'serviceCloud',
  'teamPlus',
  'enterprise',
  'comped',
  'accelerator',
] as const;

const quantity = () => optional(integer());
const amount = () => optional(number());

/** The spec does not say which members are required. */
export const License = object({
  id: optional(text()),
  issuer: optional(text()),
  issuedTo: optional(text()),
  issuedAt: optional(timestamp()),
  validFrom: optional(timestamp()),
  expiresAt: optional(timestamp()),
  billingPeriodStart: optional(timestamp()),
  billingPeriodEnd: optional(timestamp()),
  tier: optional(text()),
  features: optional(anyObject()),
  withAuths: optional(list(text())),
  defaultEdgeDeployment: optional(text()),
  edgeDeployments: optional(list(text())),
  apiRateLimitPerSecond: quantity(),
  maxAuditWindowSeconds: quantity(),
  maxDatasets: quantity(),
  maxEndpoints: quantity(),
  maxFields: quantity(),
  maxMonitors: quantity(),
  maxQueryWindowSeconds: quantity(),
  maxUsers: quantity(),
  monthlyIngestGb: amount(),
  monthlyQueryGbHours: amount(),
  storageAllowanceGB: amount(),
});
export type License = Static<typeof License>;

export const Organization = object({
  id: key(text('Identifier assigned by the service.')),
  name: key(text('Name of the organization.')),
  license: License,
  plan: oneOf(PLANS),
  planCreated: text(),
  paymentStatus: oneOf(PAYMENT_STATUSES),
  primaryEmail: text(),
  lastUsageSync: text(),
  defaultEdgeDeployment: optional(text()),
  firstFailedPayment: optional(text()),
  metaCreated: optional(text()),
  metaModified: optional(text()),
  metaVersion: optional(text()),
  role: optional(text()),
});
export type Organization = Static<typeof Organization>;

/** Body that changes an organization. Not in the spec. */
export const OrganizationUpdate = object({ name: text('Name of the organization.', nameLength) });

const personName = () => text('Name of the user.', nameLength);

export const User = object({
  id: key(text('Identifier assigned by the service.')),
  name: text('Name of the user.'),
  email: text('Email address of the user.'),
  role: object({ id: text(), name: text() }),
});
export type User = Static<typeof User>;

/** The older form of a user, in which the role is a string. Not in the spec. */
export const UserV1 = object({
  id: key(text('Identifier assigned by the service.')),
  name: text('Name of the user.'),
  email: text('Email address of the user.'),
  role: text('Name of the role.'),
  permissions: list(text(), { description: 'Permissions of the role, as resource:action.' }),
});

/** Body that creates a user. Not in the spec. */
export const NewUser = object({
  name: personName(),
  email: text('Email address of the user.', {
    pattern: '^[^\\s@]+@[^\\s@]+$',
    'x-words': 'be an email address',
  }),
  role: text('Identifier or name of the role.'),
});

/** Body that changes the current user. Not in the spec. */
export const UserUpdate = object({ name: personName() });

/** Body that changes a user's role. Not in the spec. */
export const UserRoleUpdate = object({ role: text('Identifier or name of the role.') });

// Who may do what: users, organisations, roles, groups and tokens. The service gives these to read;
// this project never changes them.
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

/** What may be done with a thing. The spec shows create and read; the others are public. */
export const ACTIONS = ['create', 'read', 'update', 'delete'] as const;

export const ORG_CAPABILITIES = [
  'annotations',
  'apiTokens',
  'auditLog',
  'billing',
  'dashboards',
  'datasets',
  'endpoints',
  'flows',
  'integrations',
  'monitors',
  'notifiers',
  'rbac',
  'sharedAccessKeys',
  'users',
  'views',
] as const;

/** What a token or role may do with a dataset. Not in the spec. */
export const DATASET_CAPABILITIES = [
  'ingest',
  'query',
  'starredQueries',
  'virtualFields',
  'trim',
  'vacuum',
  'data',
  'share',
] as const;

/** What a token or role may do with a view. Not in the spec. */
export const VIEW_CAPABILITIES = ['query', 'share'] as const;

const actions = () => optional(list(oneOf(ACTIONS)));

function capabilities<const Name extends string>(names: readonly Name[]) {
  return object(
    Object.fromEntries(names.map((name) => [name, actions()])) as {
      [N in Name]: ReturnType<typeof actions>;
    },
  );
}

export const OrgCapabilities = capabilities(ORG_CAPABILITIES);
export type OrgCapabilities = Static<typeof OrgCapabilities>;

/** By dataset name, what may be done with it. */
export const DatasetCapabilities = dictionary(capabilities(DATASET_CAPABILITIES));
export type DatasetCapabilities = Static<typeof DatasetCapabilities>;

/** By view name, what may be done with it. */
export const ViewCapabilities = dictionary(capabilities(VIEW_CAPABILITIES));
export type ViewCapabilities = Static<typeof ViewCapabilities>;

export const Role = object({
  id: key(text('Its identifier.')),
  name: key(text('Its name, unique in the organisation.')),
  description: optional(text('What the role is for.')),
  members: optional(list(text(), { description: 'The users who have it.' })),
  datasetCapabilities: optional(DatasetCapabilities),
  viewCapabilities: optional(ViewCapabilities),
  orgCapabilities: optional(OrgCapabilities),
});
export type Role = Static<typeof Role>;

export const Group = object({
  id: key(text('Its identifier.')),
  name: key(text('Its name, unique in the organisation.')),
  description: optional(text('Who is in it.')),
  isManaged: optional(flag('Whether the service manages it.')),
  members: optional(list(text(), { description: 'The users in it.' })),
  roles: optional(list(text(), { description: 'The roles its members have.' })),
});
export type Group = Static<typeof Group>;

/** A token's record; the secret itself is not part of it. */
export const Token = object({
  id: key(text('Its identifier.')),
  name: key(text('Its name.')),
  datasetCapabilities: DatasetCapabilities,
  orgCapabilities: OrgCapabilities,
  viewCapabilities: optional(ViewCapabilities),
  description: optional(text('What it is for.')),
  expiresAt: optional(timestampOrNull('When it ends.')),
  samlAuthenticated: optional(flag('Whether single sign-on stands behind it.')),
});
export type Token = Static<typeof Token>;

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

/** What an organisation has paid for. The spec does not say which members are required. */
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
  id: key(text('Its identifier.')),
  name: key(text('Its name.')),
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

export const User = object({
  id: key(text('Its identifier.')),
  name: text('The name of the person.'),
  email: text('Where the person is reached.'),
  role: object({ id: text(), name: text() }),
});
export type User = Static<typeof User>;

/** Defines every organization's built-in roles, with the capabilities that the service publishes for them. */
import {
  ACTIONS,
  type Action,
  DATASET_CAPABILITY_ACTIONS,
  EVERY_NAME,
  ORG_CAPABILITY_ACTIONS,
  type Role,
  VIEW_CAPABILITY_ACTIONS,
} from '../../../api/src/index.ts';

type Table = Readonly<Record<string, readonly Action[]>>;

function filterActions(table: Table, isKept: (name: string, action: Action) => boolean) {
  return Object.fromEntries(
    Object.entries(table).map(([name, actions]) => [
      name,
      actions.filter((action) => isKept(name, action)),
    ]),
  );
}

function role(
  id: string,
  name: string,
  description: string,
  org: (name: string, action: Action) => boolean,
  data: (name: string, action: Action) => boolean,
): Role {
  return {
    id,
    name,
    description,
    orgCapabilities: filterActions(ORG_CAPABILITY_ACTIONS, org),
    datasetCapabilities: { [EVERY_NAME]: filterActions(DATASET_CAPABILITY_ACTIONS, data) },
    viewCapabilities: { [EVERY_NAME]: filterActions(VIEW_CAPABILITY_ACTIONS, data) },
  };
}

const everydayResources: ReadonlySet<string> = new Set([
  'annotations',
  'dashboards',
  'monitors',
  'notifiers',
  'views',
]);

const everydayData: ReadonlySet<string> = new Set([
  'ingest',
  'query',
  'starredQueries',
  'virtualFields',
]);

const administrative: ReadonlySet<string> = new Set([
  'apiTokens',
  'auditLog',
  'billing',
  'sharedAccessKeys',
]);

const anything = () => true;
const nothing = () => false;
const reading = (name: string, action: Action) => action === 'read' && !administrative.has(name);

export const OWNER_ROLE_ID = 'owner';

export const baseRoles: ReadonlyMap<string, Role> = new Map(
  [
    role(OWNER_ROLE_ID, 'Owner', 'May do everything.', anything, anything),
    role(
      'admin',
      'Admin',
      'May do everything but billing.',
      (name) => name !== 'billing',
      anything,
    ),
    role(
      'user',
      'User',
      'May ingest, query, and work with monitors, dashboards, views and annotations.',
      (name, action) =>
        (everydayResources.has(name) && ACTIONS.includes(action)) || reading(name, action),
      (name) => everydayData.has(name),
    ),
    role(
      'read-only',
      'Read-only',
      'May query and look at resources.',
      reading,
      (name, action) => action === 'read' && everydayData.has(name),
    ),
    role('none', 'None', 'May do nothing.', nothing, nothing),
  ].map((each) => [each.id, each]),
);

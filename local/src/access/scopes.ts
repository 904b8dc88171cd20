/**
 * What of an endpoint is bound to particular datasets, documents or capabilities, beyond the one capability of its
 * row: a line for each endpoint, read by the gate alone. An endpoint without any is open to whoever has the
 * capability of its row.
 */
import { type EndpointKey, REQUEST_HEADERS } from '../../../api/src/index.ts';
import type { Document, ResourceKind } from '../store/resources.ts';
import type { Store } from '../store/store.ts';
import { READ } from './access.ts';
import type { Capabilities, Grants } from './capabilities.ts';
import { directoryOf } from './directory.ts';
import type { StoredToken } from './storedToken.ts';

/** A request whose parts were checked by the endpoint's row. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Those that the row declares. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface Scope {
  /** The dataset that the path or the query string names, and whether the token may use it so. */
  readonly dataset?: {
    readonly name: (asked: Asked) => string;
    readonly need: string;
    /** A capability in the organisation that will do as well. */
    readonly or?: string;
  };
  /** The kind of the document that the path names by `id` or `uid`. */
  readonly document?: ResourceKind;
  /** The body is a document of this kind; the token must be able to use all that it is about. */
  readonly writes?: ResourceKind;
  /** What the request gives to somebody, which the token must have itself. */
  readonly gives?: (asked: Asked, store: Store) => readonly Grants[];
  /** The limit of the license on how many there are of what is created. */
  readonly creates?: 'maxDatasets' | 'maxMonitors' | 'maxUsers';
  /** Whether the datasets that are listed are those that the token may read, or also all for `datasets:read`. */
  readonly lists?: (capabilities: Capabilities, dataset: string) => boolean;
  /** Whether what is stored counts against the monthly ingest of the license. */
  readonly meters?: true;
  /** Whether the handler makes the events out of a body in another form. */
  readonly converts?: true;
}

const open: Scope = {};

const inPath = ({ params }: Asked): string => params['dataset_id'] ?? params['dataset_name'] ?? '';

const inHeader = ({ headers }: Asked): string => String(headers[REQUEST_HEADERS.dataset] ?? '');

const ingest = (name: (asked: Asked) => string): Scope => ({
  dataset: { name, need: 'ingest:create' },
  meters: true,
});

const fields: Scope = { dataset: { name: inPath, need: READ } };

/** Reading, changing and deleting a document by its identifier, and making one. */
const of = (kind: ResourceKind): Scope => ({ document: kind });
const made = (kind: ResourceKind): Scope => ({ writes: kind });
const changed = (kind: ResourceKind): Scope => ({ document: kind, writes: kind });

const givesBody: Scope['gives'] = ({ body }) => [body as Grants];

const givesRole: Scope['gives'] = ({ body }, store) => {
  const role = directoryOf(store.resources).roleNamed((body as { readonly role: string }).role);
  return role === undefined ? [] : [role];
};

/** The role that a user loses counts too: who could not have granted it cannot take it away. */
const changesRole: Scope['gives'] = (asked, store) => {
  const directory = directoryOf(store.resources);
  const current = directory.user(asked.params['id']!)?.role.id;
  const taken = current === undefined ? undefined : directory.role(current);
  return [...(givesRole(asked, store) ?? []), ...(taken === undefined ? [] : [taken])];
};

const givesRoles: Scope['gives'] = ({ body }, store) => {
  const directory = directoryOf(store.resources);
  const { roles = [] } = body as { readonly roles?: readonly string[] };
  return roles.flatMap((id) => directory.role(id) ?? []);
};

// The answer has a secret that may do what the old one could, unless the body says what else it may. The end of the
// old one changes in either case, which is for those who could have made it.
const givesToken: Scope['gives'] = ({ params, body }, store) => {
  const { newToken = {} } = body as { readonly newToken?: Grants };
  return [newToken, store.resources.get<StoredToken>('token', params['id']!) ?? {}];
};

const queried: Scope = { dataset: { name: inPath, need: READ } };

const trimmed: Scope = { dataset: { name: inPath, need: 'trim:update' } };

const listed: Scope = {
  lists: (capabilities, dataset) =>
    capabilities.inOrganization('datasets:read') || capabilities.onDataset(dataset, READ),
};

const added: Scope = { creates: 'maxDatasets' };

const shown: Scope = { dataset: { name: inPath, need: READ, or: 'datasets:read' } };

export const scopes: { readonly [K in EndpointKey]: Scope } = {
  ingest: ingest(inPath),
  ingestV1: ingest(inPath),
  ingestTraces: { ...ingest(inHeader), converts: true },
  ingestLogs: { ...ingest(inHeader), converts: true },
  // Nothing is stored.
  ingestMetrics: open,
  bulkIngest: { ...ingest(inPath), converts: true },
  bulkIngestGeneral: { ...ingest(inPath), converts: true },
  getBulkServer: { dataset: { name: inPath, need: 'ingest:create' } },
  getBulkServerGeneral: { dataset: { name: inPath, need: 'ingest:create' } },
  // What a query reads is known once it is bound: `sourcesFor` has only what the token may read.
  queryEdge: open,
  queryBatch: open,
  queryGeneral: open,
  queryStructured: queried,
  queryStructuredV1: queried,

  getKeptQuery: open,

  listAllFields: open,
  listDatasets: listed,
  listDatasetsV1: listed,
  createDataset: added,
  createDatasetV1: added,
  getDataset: shown,
  getDatasetV1: shown,
  updateDataset: open,
  updateDatasetV1: open,
  deleteDataset: open,
  deleteDatasetV1: open,
  getDatasetInfo: fields,
  trimDataset: trimmed,
  trimDatasetV1: trimmed,
  vacuumDataset: { dataset: { name: inPath, need: 'vacuum:update' } },
  listFields: fields,
  getField: fields,
  updateField: open,
  listMapFields: fields,
  replaceMapFields: open,
  createMapField: open,
  deleteMapField: open,

  listMonitors: open,
  createMonitor: { ...made('monitor'), creates: 'maxMonitors' },
  getMonitor: of('monitor'),
  getMonitorHistory: of('monitor'),
  updateMonitor: changed('monitor'),
  deleteMonitor: of('monitor'),

  listNotifiers: open,
  createNotifier: open,
  getNotifier: open,
  updateNotifier: open,
  deleteNotifier: open,

  listDashboards: open,
  createDashboard: open,
  getDashboard: open,
  updateDashboard: open,
  deleteDashboard: open,

  listViews: open,
  createView: made('view'),
  getView: of('view'),
  updateView: changed('view'),
  deleteView: of('view'),

  listAnnotations: open,
  createAnnotation: made('annotation'),
  getAnnotation: of('annotation'),
  updateAnnotation: changed('annotation'),
  deleteAnnotation: of('annotation'),

  listSavedQueries: open,
  createSavedQuery: made('saved query'),
  getSavedQuery: of('saved query'),
  updateSavedQuery: changed('saved query'),
  deleteSavedQuery: of('saved query'),

  listVirtualFields: {
    dataset: { name: ({ query }) => String(query['dataset']), need: 'virtualFields:read' },
  },
  createVirtualField: made('virtual field'),
  getVirtualField: of('virtual field'),
  updateVirtualField: changed('virtual field'),
  deleteVirtualField: of('virtual field'),

  getCurrentUser: open,
  getCurrentUserV1: open,
  updateCurrentUser: open,
  listUsers: open,
  createUser: { gives: givesRole, creates: 'maxUsers' },
  getUser: open,
  deleteUser: open,
  updateUserRole: { gives: changesRole },
  listOrganizations: open,
  createOrganization: open,
  getOrganization: open,
  updateOrganization: open,
  listRoles: open,
  createRole: { gives: givesBody },
  getRole: open,
  updateRole: { gives: givesBody },
  deleteRole: open,
  listGroups: open,
  createGroup: { gives: givesRoles },
  getGroup: open,
  updateGroup: { gives: givesRoles },
  deleteGroup: open,
  listTokens: open,
  createToken: { gives: givesBody },
  getToken: open,
  deleteToken: open,
  regenerateToken: { gives: givesToken },
};

/** What a change of a document makes of it, as far as it says what the document is about. */
export function changedDocument(kind: ResourceKind, body: Document, current?: Document): Document {
  // Only a change of an annotation leaves out what stays.
  return kind === 'annotation' ? { ...current, ...body } : body;
}

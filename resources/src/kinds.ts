// Defines the kinds of resource a deployment has besides events, one row each. Trees, documents, menus, welcome texts,
// schemas and Git folders are derived from these rows. Only the order in which kinds are applied is elsewhere, in
// `folder/plan.ts`.
import type { EndpointKey } from '../../api/src/index.ts';
import { isMembers, type Members, type Path, textAt, valueAt } from './value.ts';

export type KindName =
  | 'monitors'
  | 'notifiers'
  | 'dashboards'
  | 'views'
  | 'annotations'
  | 'savedQueries'
  | 'virtualFields'
  | 'mapFields';

/** A resource's presentation in a list. */
export interface ListItem {
  readonly name: string;
  /**
   * A short note next to the name. The most important words come first, because a narrow side bar cuts off the rest.
   */
  readonly note: string;
  readonly about?: string;
  /** Further details, a few words each. */
  readonly detail?: readonly string[];
  /** The ID of a VS Code icon, if different from the kind's. */
  readonly icon?: string;
  /** The ID of a VS Code color for the icon. */
  readonly color?: string;
  /** The group or filter value in the list, such as `disabled`. */
  readonly state?: string;
  /** The sort key, ascending; by default the name. */
  readonly order?: string;
}

/** The state of a monitor's alert. */
export interface Alert {
  readonly isOpen: boolean;
  /** The time it opened or closed, as written by the service. */
  readonly since: string;
}

/** The known values when a resource is created. */
export interface Draft {
  readonly name: string;
  readonly apl?: string;
  readonly dataset?: string;
  /** The resource's purpose. */
  readonly about?: string;
  /** Whether the query returns unchanged events rather than a number. */
  readonly givesEvents?: boolean;
  /** The type of chart that visualizes the query's result. */
  readonly chartType?: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The location of APL in a resource. `*` matches each item of an array. */
export interface AplPattern {
  readonly path: readonly string[];
  /** The name in messages: `query`, `query of the chart`. */
  readonly noun: string;
  /** Whether it is a query, or an expression over the rows of the member `dataset`. */
  readonly language: 'query' | 'expression';
}

/**
 * The secrets of a kind. All text and long numbers below a member are secret, except the listed paths, because an
 * unknown kind of notifier may have secrets under any name. Elsewhere, a value is secret if its name suggests it or if
 * it is an address. `*` matches each item.
 */
export interface SecretPattern {
  readonly below: string;
  readonly except: readonly (readonly string[])[];
  /** Text written by users, such as a message template. It is secret if it seems to contain a secret. */
  readonly userTexts: readonly (readonly string[])[];
}

export interface KindEndpoints {
  /** Absent if each dataset has exactly one, which is read and changed but never created. */
  readonly list?: EndpointKey;
  readonly get: EndpointKey;
  readonly create?: EndpointKey;
  readonly update: EndpointKey;
  readonly delete?: EndpointKey;
  /** The path parameter for the identifier. */
  readonly parameter: 'id' | 'uid' | 'dataset_id';
  /** Number of resources per page of the list; absent if a response has all. */
  readonly page?: number;
}

export interface KindRow {
  /** The singular and plural noun, and the plural as a title. */
  readonly noun: string;
  readonly plural: string;
  readonly title: string;
  /** A sentence that describes the kind. */
  readonly about: string;
  /** The ID of a VS Code icon. */
  readonly icon: string;
  /** The capability that a token needs, without the action that is appended: `monitors:read`. */
  readonly capability: string;
  /** The capability in words, for reading. */
  readonly requiredAccess: string;
  /** The location of the items: the kind's own view, the view of executed queries, or under their dataset. */
  readonly tree: 'view' | 'history' | 'dataset';
  /** Whether a list covers the deployment or one dataset, which is a parameter of the list. */
  readonly scope: 'deployment' | 'dataset';
  readonly endpoints: KindEndpoints;
  /** The possible paths of a record's identifier. The first that exists is used. */
  readonly id: readonly Path[];
  /** Who assigns the identifier: the service, so that a copy gets another one, or the creator. */
  readonly idBy: 'service' | 'person';
  /** The path of the name in records and documents. */
  readonly name: Path;
  /** Members of a record that the service sets. Documents omit them. */
  readonly setByService: readonly string[];
  /** The member with a record's version, which is sent back with a change. */
  readonly version?: string;
  /**
   * For a kind whose updates keep omitted members: the members that can be removed, with the value that removes each.
   * Absent if an update replaces everything.
   */
  readonly cleared?: Members;
  /** The member of a write's response that contains the record, if the response has more. */
  readonly responseMember?: string;
  /** The name given to the list if the service returns a bare array. */
  readonly listMember?: string;
  readonly apl: readonly AplPattern[];
  /** The location of a record's secrets; absent if it has none. */
  readonly secrets?: SecretPattern;
  /** The paths of other kinds' identifiers, assigned by the service. `*` matches each item. */
  readonly references?: readonly { readonly path: readonly string[]; readonly to: KindName }[];
  /** The paths of dataset names. `*` matches each item. */
  readonly datasets?: readonly (readonly string[])[];
  /** The name of its folder in Git. */
  readonly folder: string;
  /**
   * The paths that identify a document within its kind on any deployment. Identifiers can't, because the service
   * assigns different ones on each.
   */
  readonly key: readonly Path[];
  /** Arguments that make the list return everything the token may see, if it returns less without them. */
  readonly listAll?: Readonly<Record<string, string>>;
  readonly draft?: (draft: Draft) => Members;
  /** Members without a value in a draft, most important first. The cursor is placed in the first empty one. */
  readonly emptyMembers?: readonly Path[];
  /** Describes a record for a list. `now` is in milliseconds since 1970. */
  readonly show: (record: Members, now: number) => ListItem;
}

const CREATED = ['id', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'] as const;

const joinNotes = (...notes: readonly (string | undefined)[]) => notes.filter(Boolean).join(' · ');

const about = (record: Members, path: Path = ['description']) => {
  const description = textAt(record, path);
  return description === undefined ? {} : { about: description };
};

const nameOf = (record: Members, paths: readonly Path[]) =>
  paths.map((path) => textAt(record, path)).find((name) => name !== undefined) ?? '';

const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const datasetsIn = (draft: Draft) => (draft.dataset === undefined ? [] : [draft.dataset]);

export const kinds: Readonly<Record<KindName, KindRow>> = {
  monitors: {
    noun: 'monitor',
    plural: 'monitors',
    title: 'Monitors',
    about:
      'A monitor runs a query on a schedule and sends an alert when its result crosses a threshold.',
    icon: 'bell',
    capability: 'monitors',
    requiredAccess: 'read access to monitors',
    tree: 'view',
    scope: 'deployment',
    endpoints: {
      list: 'listMonitors',
      get: 'getMonitor',
      create: 'createMonitor',
      update: 'updateMonitor',
      delete: 'deleteMonitor',
      parameter: 'id',
    },
    id: [['id']],
    idBy: 'service',
    name: ['name'],
    setByService: CREATED,
    apl: [{ path: ['aplQuery'], noun: 'query', language: 'query' }],
    references: [{ path: ['notifierIds', '*'], to: 'notifiers' }],
    folder: 'monitors',
    key: [['name']],
    draft: ({ name, apl, about: description = '', givesEvents = false }) => ({
      name,
      description,
      aplQuery: apl ?? '',
      // Events have no value to compare with a threshold.
      ...(givesEvents
        ? { type: 'MatchEvent' }
        : { type: 'Threshold', operator: 'Above', threshold: 0 }),
      intervalMinutes: 5,
      rangeMinutes: 5,
      notifierIds: [],
    }),
    emptyMembers: [['aplQuery'], ['threshold']],
    show: showMonitor,
  },
  notifiers: {
    noun: 'notifier',
    plural: 'notifiers',
    title: 'Notifiers',
    about: 'A notifier sends the alerts of monitors by email, or to a chat, a pager or a webhook.',
    icon: 'megaphone',
    capability: 'notifiers',
    requiredAccess: 'read access to notifiers',
    tree: 'view',
    scope: 'deployment',
    endpoints: {
      list: 'listNotifiers',
      get: 'getNotifier',
      create: 'createNotifier',
      update: 'updateNotifier',
      delete: 'deleteNotifier',
      parameter: 'id',
    },
    id: [['id']],
    idBy: 'service',
    name: ['name'],
    setByService: CREATED,
    apl: [],
    secrets: {
      below: 'properties',
      except: [
        ['email', 'emails', '*'],
        ['discord', 'discordChannel'],
      ],
      userTexts: [['customWebhook', 'body']],
    },
    folder: 'notifiers',
    key: [['name']],
    draft: ({ name }) => ({ name, properties: { email: { emails: [] } } }),
    emptyMembers: [['properties', 'email', 'emails']],
    show: showNotifier,
  },
  dashboards: {
    noun: 'dashboard',
    plural: 'dashboards',
    title: 'Dashboards',
    about: 'A dashboard shows charts of queries side by side.',
    icon: 'dashboard',
    capability: 'dashboards',
    requiredAccess: 'access to dashboards',
    tree: 'view',
    scope: 'deployment',
    endpoints: {
      list: 'listDashboards',
      get: 'getDashboard',
      create: 'createDashboard',
      update: 'updateDashboard',
      delete: 'deleteDashboard',
      parameter: 'uid',
      page: 100,
    },
    id: [['uid']],
    idBy: 'person',
    name: ['dashboard', 'name'],
    setByService: [...CREATED, 'version'],
    version: 'version',
    responseMember: 'dashboard',
    apl: [
      {
        path: ['dashboard', 'charts', '*', 'query', 'apl'],
        noun: 'query of the chart',
        language: 'query',
      },
    ],
    folder: 'dashboards',
    key: [['uid']],
    draft: ({ name, apl, chartType = 'TimeSeries' }) => ({
      dashboard: {
        name,
        charts: apl === undefined ? [] : [{ id: 'chart-1', type: chartType, name, query: { apl } }],
        layout: apl === undefined ? [] : [{ i: 'chart-1', x: 0, y: 0, w: 12, h: 6 }],
        refreshTime: 60,
        schemaVersion: 2,
        timeWindowStart: 'qr-now-1h',
        timeWindowEnd: 'qr-now',
      },
    }),
    show: showDashboard,
  },
  views: {
    noun: 'view',
    plural: 'views',
    title: 'Views',
    about: 'A view is a named query that other queries can start from.',
    icon: 'preview',
    capability: 'views',
    requiredAccess: 'read access to views',
    tree: 'view',
    scope: 'deployment',
    endpoints: {
      list: 'listViews',
      get: 'getView',
      create: 'createView',
      update: 'updateView',
      delete: 'deleteView',
      parameter: 'id',
    },
    // The specification gives views no identifier although paths need one, so the name is used.
    id: [['id'], ['name']],
    idBy: 'person',
    name: ['name'],
    setByService: CREATED,
    apl: [{ path: ['aplQuery'], noun: 'query', language: 'query' }],
    datasets: [['datasets', '*']],
    folder: 'views',
    key: [['name']],
    draft: (draft) => ({
      name: draft.name,
      description: draft.about ?? '',
      datasets: datasetsIn(draft),
      aplQuery: draft.apl ?? '',
    }),
    emptyMembers: [['aplQuery'], ['description']],
    show: (record) => ({
      name: nameOf(record, [['name'], ['id']]),
      note: stringsOf(record.datasets).join(', '),
      ...about(record),
    }),
  },
  annotations: {
    noun: 'annotation',
    plural: 'annotations',
    title: 'Annotations',
    about: 'An annotation marks a time in the charts of a dataset.',
    icon: 'bookmark',
    capability: 'annotations',
    requiredAccess: 'read access to annotations',
    tree: 'view',
    scope: 'deployment',
    endpoints: {
      list: 'listAnnotations',
      get: 'getAnnotation',
      create: 'createAnnotation',
      update: 'updateAnnotation',
      delete: 'deleteAnnotation',
      parameter: 'id',
    },
    id: [['id']],
    idBy: 'service',
    name: ['title'],
    setByService: CREATED,
    cleared: { title: '', description: '', url: '', endTime: null },
    apl: [],
    datasets: [['datasets', '*']],
    folder: 'annotations',
    key: [['time'], ['type'], ['title']],
    draft: (draft) => ({
      title: draft.name,
      type: 'note',
      description: '',
      datasets: datasetsIn(draft),
      time: new Date(draft.now).toISOString(),
    }),
    emptyMembers: [['datasets'], ['description']],
    show: showAnnotation,
  },
  savedQueries: {
    noun: 'saved query',
    plural: 'saved queries',
    title: 'Saved Queries',
    about: 'A saved query is kept on the deployment under a name.',
    icon: 'star-full',
    capability: 'starredQueries',
    requiredAccess: 'read access to saved queries',
    tree: 'history',
    scope: 'deployment',
    endpoints: {
      list: 'listSavedQueries',
      get: 'getSavedQuery',
      create: 'createSavedQuery',
      update: 'updateSavedQuery',
      delete: 'deleteSavedQuery',
      parameter: 'id',
      page: 100,
    },
    id: [['id']],
    idBy: 'service',
    name: ['name'],
    setByService: CREATED,
    apl: [{ path: ['query', 'apl'], noun: 'query', language: 'query' }],
    datasets: [['dataset']],
    folder: 'saved-queries',
    key: [['dataset'], ['name']],
    listAll: { who: 'all' },
    draft: ({ name, apl, dataset }) => ({
      name,
      kind: 'apl',
      ...(dataset === undefined ? {} : { dataset }),
      query: { apl: apl ?? '' },
    }),
    emptyMembers: [['query', 'apl']],
    show: (record) => ({
      name: nameOf(record, [['name'], ['id']]),
      note: textAt(record, ['dataset']) ?? '',
    }),
  },
  virtualFields: {
    noun: 'virtual field',
    plural: 'virtual fields',
    title: 'Virtual Fields',
    about: 'A virtual field is computed by an expression when a query reads it.',
    icon: 'symbol-function',
    capability: 'virtualFields',
    requiredAccess: 'read access to virtual fields',
    tree: 'dataset',
    scope: 'dataset',
    endpoints: {
      list: 'listVirtualFields',
      get: 'getVirtualField',
      create: 'createVirtualField',
      update: 'updateVirtualField',
      delete: 'deleteVirtualField',
      parameter: 'id',
    },
    id: [['id']],
    idBy: 'service',
    name: ['name'],
    setByService: CREATED,
    apl: [{ path: ['expression'], noun: 'expression', language: 'expression' }],
    datasets: [['dataset']],
    folder: 'virtual-fields',
    key: [['dataset'], ['name']],
    draft: ({ name, apl, dataset }) => ({
      dataset: dataset ?? '',
      name,
      description: '',
      expression: apl ?? '',
    }),
    emptyMembers: [['dataset'], ['expression']],
    show: (record) => ({
      name: nameOf(record, [['name'], ['id']]),
      note: joinNotes(textAt(record, ['type']), textAt(record, ['unit'])),
      ...about(record),
    }),
  },
  mapFields: {
    noun: 'list of map fields',
    plural: 'map fields',
    title: 'Map Fields',
    about: 'A map field keeps an object of an event as one value instead of a field per member.',
    icon: 'symbol-object',
    capability: 'datasets',
    requiredAccess: 'read access to datasets',
    tree: 'dataset',
    scope: 'dataset',
    endpoints: { get: 'listMapFields', update: 'replaceMapFields', parameter: 'dataset_id' },
    id: [],
    idBy: 'person',
    name: [],
    setByService: [],
    listMember: 'mapFields',
    apl: [],
    folder: 'map-fields',
    key: [['dataset']],
    show: (record) => {
      const names = stringsOf(record.mapFields);
      return { name: 'Map Fields', note: names.join(', ') };
    },
  },
};

export const kindNames = Object.keys(kinds) as KindName[];

export function isKind(text: string): text is KindName {
  return Object.hasOwn(kinds, text);
}

/** Returns the identifier of a record; undefined if it has none. */
export function idOf(kind: KindName, record: Members): string | undefined {
  return nameOf(record, kinds[kind].id) || undefined;
}

function showMonitor(monitor: Members, now: number): ListItem {
  const until = textAt(monitor, ['disabledUntil']);
  const paused = until !== undefined && Date.parse(until) > now;
  const disabled = monitor.disabled === true || paused;
  const { intervalMinutes } = monitor;
  return {
    name: nameOf(monitor, [['name'], ['id']]),
    note: joinNotes(
      disabled ? (paused ? `disabled until ${shortTime(until, now)}` : 'disabled') : undefined,
      conditionOf(monitor),
    ),
    detail: [
      ...(paused ? [`disabled until ${formatTime(until)}`] : []),
      ...(intervalMinutes ? [`every ${intervalMinutes} min`] : []),
    ],
    state: disabled ? 'disabled' : 'enabled',
    ...(disabled && { icon: 'bell-slash' }),
    order: MONITOR_ORDER[disabled ? 'disabled' : 'enabled'],
    ...about(monitor),
  };
}

/** The sort keys: firing monitors first, disabled ones last. */
const MONITOR_ORDER = { firing: '0', enabled: '1', disabled: '2' } as const;

const COMPARISONS: Readonly<Record<string, string>> = {
  Above: '>',
  AboveOrEqual: '\u2265',
  Below: '<',
  BelowOrEqual: '\u2264',
  AboveOrBelow: '\u2260',
};

const MONITOR_TYPES: Readonly<Record<string, string>> = {
  Threshold: 'threshold',
  MatchEvent: 'match',
  AnomalyDetection: 'anomaly',
};

/** Describes a monitor's condition: `> 10`, or the type if it isn't Threshold. */
function conditionOf(monitor: Members): string | undefined {
  const type = textAt(monitor, ['type']);
  const { threshold } = monitor;
  const isNumber = typeof threshold === 'number' || typeof threshold === 'bigint';
  if (type !== 'Threshold' || !isNumber) return type && (MONITOR_TYPES[type] ?? type);
  const sign = COMPARISONS[textAt(monitor, ['operator']) ?? ''] ?? '';
  return sign === '' ? `${MONITOR_TYPES[type]} ${threshold}` : `${sign} ${threshold}`;
}

/** Adds the state of a monitor's alert to its presentation. */
export function withAlert<T extends ListItem>(monitor: T, { isOpen, since }: Alert): T {
  if (monitor.state !== 'enabled') return monitor;
  const time = formatTime(since);
  const { note, detail = [] } = monitor;
  if (!isOpen) return { ...monitor, detail: [...detail, `resolved ${time}`] };
  return {
    ...monitor,
    note: joinNotes('firing', note),
    detail: [`firing since ${time}`, ...detail],
    state: 'firing',
    icon: 'bell-dot',
    color: 'problemsErrorIcon.foreground',
    order: MONITOR_ORDER.firing,
  };
}

/** Adds the reason a monitor's alert state is unknown to its presentation. */
export function withoutAlert<T extends ListItem>(monitor: T, why: string): T {
  return { ...monitor, detail: [...(monitor.detail ?? []), `alert not known: ${why}`] };
}

const NOTIFIER_KINDS: Readonly<Record<string, string>> = {
  email: 'Email',
  slack: 'Slack',
  discord: 'Discord',
  discordWebhook: 'Discord webhook',
  pagerduty: 'PagerDuty',
  opsgenie: 'Opsgenie',
  microsoftTeams: 'Microsoft Teams',
  webhook: 'Webhook',
  customWebhook: 'Custom webhook',
};

function showNotifier(notifier: Members, now: number): ListItem {
  const until = textAt(notifier, ['disabledUntil']);
  const paused = until !== undefined && Date.parse(until) > now;
  const { properties } = notifier;
  const [kind = ''] = isMembers(properties) ? Object.keys(properties) : [];
  return {
    name: nameOf(notifier, [['name'], ['id']]),
    note: joinNotes(
      paused ? `disabled until ${shortTime(until, now)}` : undefined,
      NOTIFIER_KINDS[kind] ?? kind,
      stringsOf(valueAt(properties, ['email', 'emails'])).join(', '),
    ),
    ...(paused && { detail: [`disabled until ${formatTime(until)}`] }),
    state: paused ? 'disabled' : 'enabled',
    ...(paused && { icon: 'bell-slash' }),
  };
}

function showDashboard(record: Members): ListItem {
  const found = valueAt(record, ['dashboard', 'charts']);
  const charts = Array.isArray(found) ? found.length : 0;
  return {
    name: nameOf(record, [['dashboard', 'name'], ['uid']]),
    note: `${charts} ${charts === 1 ? 'chart' : 'charts'}`,
    ...about(record, ['dashboard', 'description']),
  };
}

function showAnnotation(annotation: Members, now: number): ListItem {
  const [time, endTime] = [textAt(annotation, ['time']), textAt(annotation, ['endTime'])];
  const title = textAt(annotation, ['title']);
  const type = textAt(annotation, ['type']);
  return {
    name: nameOf(annotation, [['title'], ['type'], ['id']]),
    note: joinNotes(time && shortTime(time, now), stringsOf(annotation.datasets).join(', ')),
    detail: [
      ...(time ? [[time, endTime].flatMap((at) => (at ? formatTime(at) : [])).join(' to ')] : []),
      ...(type !== undefined && title !== undefined ? [type] : []),
    ],
    ...about(annotation),
    order: newestFirst(time),
  };
}

/** Returns a sort key that orders times with any offset from newest to oldest, and missing times last. */
function newestFirst(time: string | undefined): string {
  const at = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(at) ? '~' : String(8.64e15 - at).padStart(17, '0');
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Formats a time in UTC: `08:30 UTC` on the day of `now`, `Jan 31 08:30` in the same year, otherwise `2025-01-31`. */
function shortTime(time: string, now: number): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  const [text, today] = [at.toISOString(), new Date(now).toISOString()];
  const clock = text.slice(11, 16);
  if (text.slice(0, 10) === today.slice(0, 10)) return `${clock} UTC`;
  if (text.slice(0, 4) !== today.slice(0, 4)) return text.slice(0, 10);
  return `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()} ${clock}`;
}

/** Formats a time to the second, without conversion: `2026-01-31 08:30:00 UTC`. An offset is kept. */
function formatTime(time: string): string {
  return time
    .replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?/, '$1 $2')
    .replace(/Z$/, ' UTC');
}

/** Returns a service's response as members. A bare array gets the name in its kind's row. */
export function recordOf(kind: KindName, raw: unknown): Members {
  const { listMember } = kinds[kind];
  if (listMember !== undefined) return { [listMember]: raw };
  return isMembers(raw) ? raw : {};
}

// The kinds of resource that a deployment holds besides events, one row each. Trees, documents, menus, welcome
// texts, schemas and the folders in git follow from these rows, so a kind is described here and nowhere else.
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

/** What a person sees of a resource in a list. */
export interface Shown {
  readonly name: string;
  /** A few words next to the name; what matters most comes first, since a narrow side bar cuts off the rest. */
  readonly note: string;
  readonly about?: string;
  /** What there is to know besides, in a few words each. */
  readonly detail?: readonly string[];
  /** An icon of VS Code's own, where it is not that of its kind. */
  readonly icon?: string;
  /** A color of VS Code's own for the icon. */
  readonly color?: string;
  /** What the list is grouped or filtered by, such as `disabled`. */
  readonly state?: string;
  /** What the list is sorted by, ascending; by default the name. */
  readonly order?: string;
}

/** Whether the alert of a monitor is open. */
export interface Alert {
  readonly isOpen: boolean;
  /** When it opened or closed, as the service wrote it. */
  readonly since: string;
}

/** What is known when a resource is created. */
export interface Draft {
  readonly name: string;
  readonly apl?: string;
  readonly dataset?: string;
  /** What it is for. */
  readonly about?: string;
  /** Whether the query gives events as they are, and no number. */
  readonly givesEvents?: boolean;
  /** The type of the chart that draws the result of the query. */
  readonly chartType?: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Where a resource has APL: `*` stands for each item of an array. */
export interface AplPattern {
  readonly path: readonly string[];
  /** What it is, in words: `query`, `query of the chart`. */
  readonly noun: string;
  /** Whether it is a query, or an expression on the rows of the member `dataset`. */
  readonly language: 'query' | 'expression';
}

/**
 * All text below a member is secret, and long numbers are, except what is listed: a kind of notifier that is not known
 * here may have secrets under any name. Elsewhere, what has the name of a secret or is an address is one. `*` stands
 * for each item.
 */
export interface SecretPattern {
  readonly below: string;
  readonly except: readonly (readonly string[])[];
  /** Text that a person writes, such as the template of a message: secret where it seems to have a secret in it. */
  readonly written: readonly (readonly string[])[];
}

export interface KindEndpoints {
  /** Absent where there is one of it per dataset, which is read and changed, but never created. */
  readonly list?: EndpointKey;
  readonly get: EndpointKey;
  readonly create?: EndpointKey;
  readonly update: EndpointKey;
  readonly delete?: EndpointKey;
  /** The parameter of the path that holds the identifier. */
  readonly parameter: 'id' | 'uid' | 'dataset_id';
  /** Resources in one answer of the list; absent where one answer has all. */
  readonly page?: number;
}

export interface KindRow {
  /** One of it and several of it, in words, and several as a title. */
  readonly noun: string;
  readonly plural: string;
  readonly title: string;
  /** A sentence about what it is. */
  readonly about: string;
  /** An icon of VS Code's own. */
  readonly icon: string;
  /** The name of the capability that a token needs, to which the action is appended: `monitors:read`. */
  readonly capability: string;
  /** That capability in words, for reading. */
  readonly needs: string;
  /** Where its items are: in a view for the kind, with the queries that were run, or under their dataset. */
  readonly tree: 'view' | 'history' | 'dataset';
  /** Whether a list is of the deployment or of one dataset, which is a parameter of the list. */
  readonly of: 'deployment' | 'dataset';
  readonly endpoints: KindEndpoints;
  /** Where a record has its identifier; the first that is there counts. */
  readonly id: readonly Path[];
  /** Who chooses the identifier: the service, so that a copy has another one, or whoever makes it. */
  readonly idBy: 'service' | 'person';
  /** Where the name is, in a record and in a document. */
  readonly name: Path;
  /** Members of a record that the service sets. A document has none of them. */
  readonly setByService: readonly string[];
  /** The member of a record that counts its versions, and is sent back with a change. */
  readonly version?: string;
  /**
   * Of a kind whose change keeps what is left out: the members that can be taken away, with what is sent to do
   * so. Absent where a change replaces everything.
   */
  readonly cleared?: Members;
  /** The member that has the record in the answer to a write, where that has more than the record. */
  readonly answerIn?: string;
  /** The member that holds the list, where the service answers with a mere list. */
  readonly listIn?: string;
  readonly apl: readonly AplPattern[];
  /** Where a record has secrets; absent where it has none. */
  readonly secrets?: SecretPattern;
  /** Where it has identifiers that the service gave to resources of another kind: `*` stands for each item. */
  readonly references?: readonly { readonly path: readonly string[]; readonly to: KindName }[];
  /** Where it names datasets: `*` stands for each item. */
  readonly datasets?: readonly (readonly string[])[];
  /** The folder in git. */
  readonly folder: string;
  /**
   * What identifies a document among those of its kind on any deployment, since the service assigns other
   * identifiers on each.
   */
  readonly key: readonly Path[];
  /** Arguments of the list with which it has all that the token may see, where it has less without them. */
  readonly listAll?: Readonly<Record<string, string>>;
  readonly draft?: (draft: Draft) => Members;
  /** Members that a draft has no value for, most needed first. The cursor is placed in the first that is empty. */
  readonly toFill?: readonly Path[];
  /** `now` in milliseconds since 1970. */
  readonly show: (record: Members, now: number) => Shown;
}

const CREATED = ['id', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'] as const;

const noted = (...notes: readonly (string | undefined)[]) => notes.filter(Boolean).join(' · ');

const about = (record: Members, path: Path = ['description']) => {
  const description = textAt(record, path);
  return description === undefined ? {} : { about: description };
};

const nameOf = (record: Members, paths: readonly Path[]) =>
  paths.map((path) => textAt(record, path)).find((name) => name !== undefined) ?? '';

const texts = (value: unknown): string[] =>
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
    needs: 'read access to monitors',
    tree: 'view',
    of: 'deployment',
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
      // Events have no value that a threshold could be compared with.
      ...(givesEvents
        ? { type: 'MatchEvent' }
        : { type: 'Threshold', operator: 'Above', threshold: 0 }),
      intervalMinutes: 5,
      rangeMinutes: 5,
      notifierIds: [],
    }),
    toFill: [['aplQuery'], ['threshold']],
    show: showMonitor,
  },
  notifiers: {
    noun: 'notifier',
    plural: 'notifiers',
    title: 'Notifiers',
    about: 'A notifier sends the alerts of monitors by email, or to a chat, a pager or a webhook.',
    icon: 'megaphone',
    capability: 'notifiers',
    needs: 'read access to notifiers',
    tree: 'view',
    of: 'deployment',
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
      written: [['customWebhook', 'body']],
    },
    folder: 'notifiers',
    key: [['name']],
    draft: ({ name }) => ({ name, properties: { email: { emails: [] } } }),
    toFill: [['properties', 'email', 'emails']],
    show: showNotifier,
  },
  dashboards: {
    noun: 'dashboard',
    plural: 'dashboards',
    title: 'Dashboards',
    about: 'A dashboard shows charts of queries side by side.',
    icon: 'dashboard',
    capability: 'dashboards',
    needs: 'access to dashboards',
    tree: 'view',
    of: 'deployment',
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
    answerIn: 'dashboard',
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
    needs: 'read access to views',
    tree: 'view',
    of: 'deployment',
    endpoints: {
      list: 'listViews',
      get: 'getView',
      create: 'createView',
      update: 'updateView',
      delete: 'deleteView',
      parameter: 'id',
    },
    // The specification gives a view no identifier although paths need one: the name serves.
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
    toFill: [['aplQuery'], ['description']],
    show: (record) => ({
      name: nameOf(record, [['name'], ['id']]),
      note: texts(record.datasets).join(', '),
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
    needs: 'read access to annotations',
    tree: 'view',
    of: 'deployment',
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
    toFill: [['datasets'], ['description']],
    show: showAnnotation,
  },
  savedQueries: {
    noun: 'saved query',
    plural: 'saved queries',
    title: 'Saved Queries',
    about: 'A saved query is kept on the deployment under a name.',
    icon: 'star-full',
    capability: 'starredQueries',
    needs: 'read access to saved queries',
    tree: 'history',
    of: 'deployment',
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
    toFill: [['query', 'apl']],
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
    needs: 'read access to virtual fields',
    tree: 'dataset',
    of: 'dataset',
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
    toFill: [['dataset'], ['expression']],
    show: (record) => ({
      name: nameOf(record, [['name'], ['id']]),
      note: noted(textAt(record, ['type']), textAt(record, ['unit'])),
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
    needs: 'read access to datasets',
    tree: 'dataset',
    of: 'dataset',
    endpoints: { get: 'listMapFields', update: 'replaceMapFields', parameter: 'dataset_id' },
    id: [],
    idBy: 'person',
    name: [],
    setByService: [],
    listIn: 'mapFields',
    apl: [],
    folder: 'map-fields',
    key: [['dataset']],
    show: (record) => {
      const names = texts(record.mapFields);
      return { name: 'Map Fields', note: names.join(', ') };
    },
  },
};

export const kindNames = Object.keys(kinds) as KindName[];

export function isKind(text: string): text is KindName {
  return Object.hasOwn(kinds, text);
}

/** The identifier of a record; undefined where it has none. */
export function idOf(kind: KindName, record: Members): string | undefined {
  return nameOf(record, kinds[kind].id) || undefined;
}

function showMonitor(monitor: Members, now: number): Shown {
  const until = textAt(monitor, ['disabledUntil']);
  const paused = until !== undefined && Date.parse(until) > now;
  const disabled = monitor.disabled === true || paused;
  const { intervalMinutes } = monitor;
  return {
    name: nameOf(monitor, [['name'], ['id']]),
    note: noted(
      disabled ? (paused ? `disabled until ${shortTime(until, now)}` : 'disabled') : undefined,
      conditionOf(monitor),
    ),
    detail: [
      ...(paused ? [`disabled until ${timeInWords(until)}`] : []),
      ...(intervalMinutes ? [`every ${intervalMinutes} min`] : []),
    ],
    state: disabled ? 'disabled' : 'enabled',
    ...(disabled && { icon: 'bell-slash' }),
    order: MONITOR_ORDER[disabled ? 'disabled' : 'enabled'],
    ...about(monitor),
  };
}

/** Firing monitors come first, and disabled ones last. */
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

/** `> 10`; of other types than Threshold the type. */
function conditionOf(monitor: Members): string | undefined {
  const type = textAt(monitor, ['type']);
  const { threshold } = monitor;
  const isNumber = typeof threshold === 'number' || typeof threshold === 'bigint';
  if (type !== 'Threshold' || !isNumber) return type && (MONITOR_TYPES[type] ?? type);
  const sign = COMPARISONS[textAt(monitor, ['operator']) ?? ''] ?? '';
  return sign === '' ? `${MONITOR_TYPES[type]} ${threshold}` : `${sign} ${threshold}`;
}

/** A monitor in a list, with what the service says about its alert. */
export function withAlert<T extends Shown>(monitor: T, { isOpen, since }: Alert): T {
  if (monitor.state !== 'enabled') return monitor;
  const time = timeInWords(since);
  const { note, detail = [] } = monitor;
  if (!isOpen) return { ...monitor, detail: [...detail, `resolved ${time}`] };
  return {
    ...monitor,
    note: noted('firing', note),
    detail: [`firing since ${time}`, ...detail],
    state: 'firing',
    icon: 'bell-dot',
    color: 'problemsErrorIcon.foreground',
    order: MONITOR_ORDER.firing,
  };
}

/** A monitor in a list, with why it is not known whether its alert is open. */
export function withoutAlert<T extends Shown>(monitor: T, why: string): T {
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

function showNotifier(notifier: Members, now: number): Shown {
  const until = textAt(notifier, ['disabledUntil']);
  const paused = until !== undefined && Date.parse(until) > now;
  const { properties } = notifier;
  const [kind = ''] = isMembers(properties) ? Object.keys(properties) : [];
  return {
    name: nameOf(notifier, [['name'], ['id']]),
    note: noted(
      paused ? `disabled until ${shortTime(until, now)}` : undefined,
      NOTIFIER_KINDS[kind] ?? kind,
      texts(valueAt(properties, ['email', 'emails'])).join(', '),
    ),
    ...(paused && { detail: [`disabled until ${timeInWords(until)}`] }),
    state: paused ? 'disabled' : 'enabled',
    ...(paused && { icon: 'bell-slash' }),
  };
}

function showDashboard(record: Members): Shown {
  const found = valueAt(record, ['dashboard', 'charts']);
  const charts = Array.isArray(found) ? found.length : 0;
  return {
    name: nameOf(record, [['dashboard', 'name'], ['uid']]),
    note: `${charts} ${charts === 1 ? 'chart' : 'charts'}`,
    ...about(record, ['dashboard', 'description']),
  };
}

function showAnnotation(annotation: Members, now: number): Shown {
  const [time, endTime] = [textAt(annotation, ['time']), textAt(annotation, ['endTime'])];
  const title = textAt(annotation, ['title']);
  const type = textAt(annotation, ['type']);
  return {
    name: nameOf(annotation, [['title'], ['type'], ['id']]),
    note: noted(time && shortTime(time, now), texts(annotation.datasets).join(', ')),
    detail: [
      ...(time ? [[time, endTime].flatMap((at) => (at ? timeInWords(at) : [])).join(' to ')] : []),
      ...(type !== undefined && title !== undefined ? [type] : []),
    ],
    ...about(annotation),
    order: newestFirst(time),
  };
}

/** Sorts times in any offset from the newest to the oldest, and what has none last. */
function newestFirst(time: string | undefined): string {
  const at = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(at) ? '~' : String(8.64e15 - at).padStart(17, '0');
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `08:30 UTC` on the day of `now`, `Jan 31 08:30` in its year, otherwise `2025-01-31`; all in UTC. */
function shortTime(time: string, now: number): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  const [text, today] = [at.toISOString(), new Date(now).toISOString()];
  const clock = text.slice(11, 16);
  if (text.slice(0, 10) === today.slice(0, 10)) return `${clock} UTC`;
  if (text.slice(0, 4) !== today.slice(0, 4)) return text.slice(0, 10);
  return `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()} ${clock}`;
}

/** A time as it came, to the second: `2026-01-31 08:30:00 UTC`. One with an offset keeps it. */
function timeInWords(time: string): string {
  return time
    .replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?/, '$1 $2')
    .replace(/Z$/, ' UTC');
}

/** A record as the service gave it, as members; a mere list gets the name of its row. */
export function recordOf(kind: KindName, raw: unknown): Members {
  const { listIn } = kinds[kind];
  if (listIn !== undefined) return { [listIn]: raw };
  return isMembers(raw) ? raw : {};
}

// The kinds of document that a deployment holds, as a table: how each is listed, fetched, named and
// described. The trees and the read-only documents both work from it.
import type { EndpointKey, ReadResponse } from '../../../api/src/index.ts';
import type { Outcome } from '../api/failure.ts';
import type { Service } from '../api/service.ts';

export type ResourceKind = 'monitors' | 'dashboards' | 'views' | 'annotations';

/** One document as a tree shows it. */
export interface Resource {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly name: string;
  /** A few words beside the name. */
  readonly note: string;
  readonly about?: string;
  /** An icon of VS Code's own, where it is not that of its kind. */
  readonly icon?: string;
  /** Its query, where it has one. */
  readonly apl?: string;
}

export interface KindRow {
  /** One of it, in words. */
  readonly noun: string;
  /** An icon of VS Code's own. */
  readonly icon: string;
  /** The capability that a token needs to list it. */
  readonly needs: string;
  readonly list: (service: Service) => Promise<Outcome<readonly Resource[]>>;
  /** The document itself, as it came. */
  readonly get: (service: Service, id: string) => Promise<Outcome<unknown>>;
}

const DASHBOARD_PAGE = 100;
/** A service that repeats its pages must not be asked for ever. */
const PAGES_MAX = 100;

export const resourceKinds: Readonly<Record<ResourceKind, KindRow>> = {
  monitors: {
    noun: 'monitor',
    icon: 'bell',
    needs: 'read access to monitors',
    list: async (service) => mapped(await service.call('listMonitors'), monitorOf),
    get: async (service, id) => raw(await service.call('getMonitor', { params: { id } })),
  },
  dashboards: {
    noun: 'dashboard',
    icon: 'dashboard',
    needs: 'access to dashboards',
    list: listDashboards,
    get: async (service, uid) => raw(await service.call('getDashboard', { params: { uid } })),
  },
  views: {
    noun: 'view',
    icon: 'preview',
    needs: 'read access to views',
    list: async (service) => mapped(await service.call('listViews'), viewOf),
    get: async (service, id) => raw(await service.call('getView', { params: { id } })),
  },
  annotations: {
    noun: 'annotation',
    icon: 'bookmark',
    needs: 'read access to annotations',
    list: async (service) => mapped(await service.call('listAnnotations'), annotationOf),
    get: async (service, id) => raw(await service.call('getAnnotation', { params: { id } })),
  },
};

export function isResourceKind(text: string): text is ResourceKind {
  return Object.hasOwn(resourceKinds, text);
}

type Item<K extends EndpointKey> = ReadResponse<K> extends (infer T)[] ? T : never;

function mapped<T>(
  answer: Outcome<{ readonly typed: T[] }>,
  toResource: (item: T) => Resource,
): Outcome<readonly Resource[]> {
  return answer.ok ? { ok: true, value: answer.value.typed.map(toResource) } : answer;
}

function raw(answer: Outcome<{ readonly raw: unknown }>): Outcome<unknown> {
  return answer.ok ? { ok: true, value: answer.value.raw } : answer;
}

async function listDashboards(service: Service): Promise<Outcome<readonly Resource[]>> {
  const found = new Map<string, Resource>();
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { limit: DASHBOARD_PAGE, offset: page * DASHBOARD_PAGE };
    const answer = await service.call('listDashboards', { query });
    if (!answer.ok) return answer;
    const before = found.size;
    for (const item of answer.value.typed) found.set(item.uid, dashboardOf(item));
    if (answer.value.typed.length < DASHBOARD_PAGE || found.size === before) break;
  }
  return { ok: true, value: [...found.values()] };
}

function monitorOf(monitor: Item<'listMonitors'>): Resource {
  const every = monitor.intervalMinutes ? `every ${monitor.intervalMinutes} min` : '';
  // What matters most comes first: a narrow side bar cuts off the rest.
  const notes = [monitor.disabled ? 'disabled' : '', monitor.type, every];
  return {
    kind: 'monitors',
    id: monitor.id,
    name: monitor.name,
    note: notes.filter(Boolean).join(' · '),
    ...(monitor.disabled && { icon: 'bell-slash' }),
    ...(monitor.description && { about: monitor.description }),
    ...(monitor.aplQuery && { apl: monitor.aplQuery }),
  };
}

function dashboardOf({ uid, dashboard }: Item<'listDashboards'>): Resource {
  const charts = dashboard.charts?.length ?? 0;
  return {
    kind: 'dashboards',
    id: uid,
    name: dashboard.name ?? uid,
    note: `${charts} ${charts === 1 ? 'chart' : 'charts'}`,
    ...(dashboard.description && { about: dashboard.description }),
  };
}

function viewOf(view: Item<'listViews'>): Resource {
  return {
    kind: 'views',
    id: view.id ?? view.name,
    name: view.name,
    note: (view.datasets ?? []).join(', '),
    ...(view.description && { about: view.description }),
    ...(view.aplQuery && { apl: view.aplQuery }),
  };
}

function annotationOf(annotation: Item<'listAnnotations'>): Resource {
  const notes = [timeInWords(annotation.time), (annotation.datasets ?? []).join(', ')];
  return {
    kind: 'annotations',
    id: annotation.id,
    name: annotation.title || annotation.type || annotation.id,
    note: notes.filter(Boolean).join(' · '),
    ...(annotation.description && { about: annotation.description }),
  };
}

/** A time as it came, to the second: `2026-01-31 08:30:00 UTC`. One with an offset keeps it. */
function timeInWords(time: string | null | undefined): string {
  return (time ?? '')
    .replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?/, '$1 $2')
    .replace(/Z$/, ' UTC');
}

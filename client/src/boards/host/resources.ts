/** Dashboards and monitors on a deployment: read, listed, changed. Members that are not known are sent back. */
import type { Body } from '../../../../api/src/index.ts';
import { failed, type Outcome } from '../../api/failure.ts';
import type { Service } from '../../api/service.ts';
import type { MonitorItem } from '../messages.ts';
import { type Members, membersOf } from '../model/dashboard.ts';

/** One of a kind, for a person to choose. */
export interface Listed {
  readonly id: string;
  readonly name: string;
}

const pageSize = 100;
/** A service that repeats its pages must not be asked for ever. */
const pagesMax = 100;

export async function readDashboard(
  service: Service,
  uid: string,
  signal?: AbortSignal,
): Promise<Outcome<Members>> {
  const answer = await service.call('getDashboard', { params: { uid }, ...(signal && { signal }) });
  return answer.ok ? { ok: true, value: membersOf(answer.value.raw) } : answer;
}

export async function readMonitor(
  service: Service,
  id: string,
  signal?: AbortSignal,
): Promise<Outcome<Members>> {
  const answer = await service.call('getMonitor', { params: { id }, ...(signal && { signal }) });
  return answer.ok ? { ok: true, value: membersOf(answer.value.raw) } : answer;
}

export async function listDashboards(service: Service): Promise<Outcome<readonly Listed[]>> {
  const found = new Map<string, Listed>();
  for (let page = 0; page < pagesMax; page += 1) {
    const query = { limit: pageSize, offset: page * pageSize };
    const answer = await service.call('listDashboards', { query });
    if (!answer.ok) return answer;
    const before = found.size;
    for (const { uid, dashboard } of answer.value.typed)
      found.set(uid, { id: uid, name: dashboard.name ?? uid });
    if (answer.value.typed.length < pageSize || found.size === before) break;
  }
  return { ok: true, value: byName([...found.values()]) };
}

export async function listMonitors(
  service: Service,
  signal?: AbortSignal,
): Promise<Outcome<readonly MonitorItem[]>> {
  const answer = await service.call('listMonitors', signal ? { signal } : {});
  if (!answer.ok) return answer;
  const now = Date.now();
  const items = answer.value.typed.map(({ id, name, type, disabled, ...monitor }) => {
    const isPaused = Date.parse(monitor.disabledUntil ?? '') > now;
    const every = monitor.intervalMinutes ? `every ${monitor.intervalMinutes} min` : '';
    return {
      id,
      name,
      note: [type ?? '', every].filter(Boolean).join(' · '),
      isEnabled: disabled !== true && !isPaused,
    };
  });
  return { ok: true, value: byName(items) };
}

function byName<T extends { readonly name: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => a.name.localeCompare(b.name));
}

/** What only the service sets. */
const setByService = new Set(['id', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy']);

/** Changes members of a monitor as it is stored now, and returns it as it is stored then. */
export async function changeMonitor(
  service: Service,
  id: string,
  change: Members,
): Promise<Outcome<Members>> {
  const stored = await readMonitor(service, id);
  if (!stored.ok) return stored;
  const own = Object.entries(stored.value).filter(([name]) => !setByService.has(name));
  const body = { ...Object.fromEntries(own), ...change } as Body<'updateMonitor'>;
  const answer = await service.call('updateMonitor', { params: { id }, body });
  return answer.ok ? { ok: true, value: membersOf(answer.value.raw) } : answer;
}

/** Writes a dashboard's document over the version that it was read with. */
export async function writeDashboard(
  service: Service,
  record: Members,
  document: Members,
): Promise<Outcome<Members>> {
  const uid = String(record.uid ?? '');
  if (uid === '')
    return failed({ kind: 'unreadable', host: '', message: 'The dashboard has no identifier.' });
  const body = { dashboard: document, version: record.version } as Body<'updateDashboard'>;
  const answer = await service.call('updateDashboard', { params: { uid }, body });
  return answer.ok ? { ok: true, value: membersOf(answer.value.raw) } : answer;
}

export async function createDashboard(
  service: Service,
  document: Members,
): Promise<Outcome<Members>> {
  const body = { dashboard: document } as Body<'createDashboard'>;
  const answer = await service.call('createDashboard', { body });
  if (!answer.ok) return answer;
  const raw = membersOf(answer.value.raw);
  return { ok: true, value: membersOf(raw.dashboard) };
}

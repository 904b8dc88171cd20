/** Writes changes made on pages to the stored dashboards and monitors. Preserves members unknown to this version. */
import { documentOf, updateBody } from '../../../../resources/src/documents.ts';
import type { KindName } from '../../../../resources/src/kinds.ts';
import { type Members, membersOf } from '../../../../resources/src/value.ts';
import { getRecord, updateRecord } from '../../resources/calls.ts';
import type { Outcome } from '../../service/failure.ts';
import type { Service } from '../../service/service.ts';
import { type NewChart, withChart } from '../model/addChart.ts';

/** Adds a chart to the stored dashboard. Fails with status 412 if someone else changes it at the same time. */
export function addChart(
  service: Service,
  uid: string,
  chart: NewChart,
): Promise<Outcome<Members>> {
  return changeRecord(service, 'dashboards', uid, ({ dashboard }) => ({
    dashboard: withChart(membersOf(dashboard), chart),
  }));
}

/** Changes some members of the stored monitor, and returns the updated monitor. */
export function changeMonitor(
  service: Service,
  id: string,
  members: Members,
): Promise<Outcome<Members>> {
  return changeRecord(service, 'monitors', id, () => members);
}

async function changeRecord(
  service: Service,
  kind: KindName,
  id: string,
  members: (stored: Members) => Members,
): Promise<Outcome<Members>> {
  const stored = await getRecord(service, kind, id);
  if (!stored.ok) return stored;
  const document = { ...documentOf(kind, stored.value), ...members(stored.value) };
  return updateRecord(service, kind, id, updateBody(kind, stored.value, document));
}

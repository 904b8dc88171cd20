/** What the pages of dashboards and monitors change on a deployment. Members that are not known are sent back. */
import { documentOf, updateBody } from '../../../../resources/src/documents.ts';
import type { KindName } from '../../../../resources/src/kinds.ts';
import { type Members, membersOf } from '../../../../resources/src/value.ts';
import type { Outcome } from '../../api/failure.ts';
import type { Service } from '../../api/service.ts';
import { getRecord, updateRecord } from '../../resources/calls.ts';
import { type NewChart, withChart } from '../model/addChart.ts';

/** Adds a chart to a dashboard as it is stored now; refused with 412 where it changes in between. */
export function addChart(
  service: Service,
  uid: string,
  chart: NewChart,
): Promise<Outcome<Members>> {
  return changeRecord(service, 'dashboards', uid, ({ dashboard }) => ({
    dashboard: withChart(membersOf(dashboard), chart),
  }));
}

/** Changes members of a monitor as it is stored now, and returns it as it is stored then. */
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

/** Writes changes made on pages to the stored dashboards and monitors. Preserves members unknown to this version. */
import { type Members, membersOf } from '../../../../resources/src/value.ts';
import { changeRecord } from '../../resources/calls.ts';
import type { Outcome } from '../../service/failure.ts';
import type { Service } from '../../service/service.ts';
import { type NewChart, withChart } from '../model/addChart.ts';

/** Adds a chart to the stored dashboard. Fails with status 412 if someone else changes it at the same time. */
export function addChart(
  service: Service,
  uid: string,
  chart: NewChart,
): Promise<Outcome<Members>> {
  return changeRecord(service, 'dashboards', uid, (document) => ({
    ...document,
    dashboard: withChart(membersOf(document.dashboard), chart),
  }));
}

export function changeMonitor(
  service: Service,
  id: string,
  members: Members,
): Promise<Outcome<Members>> {
  return changeRecord(service, 'monitors', id, (document) => ({ ...document, ...members }));
}

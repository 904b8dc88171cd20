// Add to Dashboard…: adds a result's query as a chart to a dashboard in the result's deployment. Asks first if someone
// else changed the dashboard.
import * as vscode from 'vscode';
import { creationBody } from '../../../../resources/src/documents.ts';
import { idOf, kinds } from '../../../../resources/src/kinds.ts';
import { type Members, membersOf } from '../../../../resources/src/value.ts';
import { chartShape } from '../../../../table/src/chart/shape.ts';
import type { Context } from '../../context.ts';
import { showFailure } from '../../host/notify.ts';
import { chartsFirst } from '../../host/settings.ts';
import { answerProfile } from '../../query/answerService.ts';
import { serviceOf } from '../../query/runAnswer.ts';
import { createRecord } from '../../resources/calls.ts';
import { listResources } from '../../resources/resource.ts';
import { resultOf } from '../../results/resultOf.ts';
import { isChartFirst } from '../../results/screen.ts';
import type { Failure, Outcome } from '../../service/failure.ts';
import type { Service } from '../../service/service.ts';
import { askName, showQuickPick } from '../../ui/inputs.ts';
import { confirm, showInformationMessage } from '../../ui/notifications.ts';
import { withIcons } from '../../ui/plain.ts';
import { showProgress } from '../../ui/progress.ts';
import { type NewChart, newDashboard, withChart } from '../model/addChart.ts';
import type { Opened } from './pageParts.ts';
import { addChart } from './writes.ts';

/** The maximum number of attempts if other users keep changing the dashboard. */
const triesMax = 5;

export async function addToDashboard(
  context: Context,
  open: (opened: Omit<Opened, 'kind'>) => unknown,
): Promise<void> {
  const found = chartInView(context);
  if (found === undefined)
    return void showInformationMessage(
      'There is no result to add to a dashboard. Run a query, and wait until its rows have arrived.',
    );
  const { chart, deployment } = found;
  const { deployments, log } = context;
  const answered = answerProfile(deployments, deployment);
  const fail = (failure: Failure) => {
    log.warn(`Add to Dashboard: ${failure.message}`);
    const local = answered.ok && answered.value.kind === 'local';
    const attempt = { local, deployment, needs: kinds.dashboards.requiredAccess };
    showFailure('The chart was not added', failure, attempt);
  };
  if (!answered.ok) return fail(answered.failure);
  const profile = answered.value;
  const service = await serviceOf(profile, deployments);
  if (!service.ok) return fail(service.failure);
  const listed = await showProgress(
    { location: vscode.ProgressLocation.Window, title: 'Listing dashboards' },
    () => listResources(service.value, 'dashboards'),
  );
  if (!listed.ok) return fail(listed.failure);
  const create = { label: withIcons`$(add) New Dashboard…`, id: undefined };
  const chosen = await showQuickPick(
    [create, ...listed.value.map(({ id, name, note }) => ({ label: name, description: note, id }))],
    { title: 'Add to Dashboard', placeHolder: `Select a dashboard of ${profile.name}` },
  );
  if (chosen === undefined) return;
  const name = await askFor('Name of the Chart', chart.name);
  if (name === undefined) return;
  const added = { ...chart, name };
  const record =
    chosen.id === undefined
      ? await addToNew(service.value, added)
      : await addToStored(service.value, chosen.id, added);
  if (record === undefined) return;
  if (!record.ok) return fail(record.failure);
  void vscode.commands.executeCommand('aplomb.refreshDashboards');
  const uid = idOf('dashboards', record.value) ?? '';
  const title = String(membersOf(record.value.dashboard).name ?? uid);
  const show = 'Open Dashboard';
  void showInformationMessage(`Added ${name} to ${title}.`, show).then((pressed) => {
    if (pressed === show) open({ deployment: profile.name, id: uid, name: title });
  });
}

/** Returns the visible result's query and chart style, and the deployment that answered it. */
function chartInView({ tabs, store }: Context) {
  const found = resultOf(tabs.active, store);
  if (found === undefined) return undefined;
  const { tab, answer } = found;
  const { viewState, head, about } = answer;
  const table = head.tables[viewState.table];
  const view = viewState.tables[viewState.table];
  const shape = table && chartShape(table, head.aggregated);
  const kind = view?.chart?.kind ?? shape?.kinds[0];
  const isFirst = shape && isChartFirst(shape, { ...head, chartsFirst: chartsFirst() });
  const shown = view?.shown ?? (isFirst ? 'chart' : 'table');
  const isTable = shown === 'table' || kind === undefined;
  const style = view?.chart?.style;
  const chart: NewChart = {
    name: tab.title.slice(0, 100) || 'Chart',
    apl: about.query,
    ...(!isTable && { kind, ...(style && { style }) }),
  };
  return { chart, deployment: about.deployment };
}

async function addToNew(service: Service, chart: NewChart): Promise<Outcome<Members> | undefined> {
  const name = await askFor('Name of the Dashboard', '');
  if (name === undefined) return undefined;
  const dashboard = withChart(newDashboard(name), chart);
  return createRecord(service, 'dashboards', creationBody('dashboards', { dashboard }));
}

async function addToStored(
  service: Service,
  uid: string,
  chart: NewChart,
): Promise<Outcome<Members> | undefined> {
  for (let tries = 1; ; tries += 1) {
    const added = await addChart(service, uid, chart);
    if (added.ok || !isConflict(added.failure) || tries === triesMax) return added;
    const isConfirmed = await confirm(
      'The dashboard was changed by someone else in the meantime.',
      'Their changes are kept. The chart is added to the current version.',
      'Add to the Current Version',
    );
    if (!isConfirmed) return undefined;
  }
}

function isConflict({ status }: Failure): boolean {
  return status === 409 || status === 412;
}

function askFor(title: string, value: string): Promise<string | undefined> {
  return askName({ title, value }, 100, (name) => (name === '' ? 'Enter a name.' : undefined));
}

// Add to Dashboard…: the query of a result becomes a chart of a dashboard that is chosen or created. The dashboard is
// written over the version that was read; where somebody else has changed it, the person is asked first.
import * as vscode from 'vscode';
import type { Failure, Outcome } from '../../api/failure.ts';
import type { Service } from '../../api/service.ts';
import { chartShape } from '../../charts/shape.ts';
import type { Context } from '../../context.ts';
import type { Profile } from '../../deployments/profiles.ts';
import { showFailure } from '../../notify.ts';
import { serviceOf } from '../../query/askQuery.ts';
import { answerIn } from '../../results/tabs.ts';
import { type NewChart, newDashboard, withChart } from '../model/addChart.ts';
import { type Members, membersOf } from '../model/dashboard.ts';
import { createDashboard, listDashboards, readDashboard, writeDashboard } from './resources.ts';

type OpenDashboard = (opened: {
  readonly deployment: string;
  readonly id: string;
  readonly name: string;
}) => unknown;

/** The tries to write over a version that changes all the time. */
const triesMax = 5;

export async function addToDashboard(context: Context, open: OpenDashboard): Promise<void> {
  const chart = chartInView(context);
  if (chart === undefined) {
    void vscode.window.showInformationMessage(
      'Run a query first. Its result is what is added to a dashboard.',
    );
    return;
  }
  const { deployments, log } = context;
  const profile = deployments.active;
  const local = profile.kind === 'local';
  const fail = (failure: Failure) => {
    log.warn(`Add to Dashboard: ${failure.message}`);
    showFailure('The chart was not added', failure, { local, needs: 'access to dashboards' });
  };
  const service = await serviceOf(profile, deployments);
  if (!service.ok) return fail(service.failure);
  const listed = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'Listing dashboards' },
    () => listDashboards(service.value),
  );
  if (!listed.ok) return fail(listed.failure);
  const create = { label: '$(add) Create a Dashboard…', id: undefined };
  const chosen = await vscode.window.showQuickPick(
    [create, ...listed.value.map(({ id, name }) => ({ label: name, id }))],
    { title: 'Add to Dashboard', placeHolder: `Select a dashboard of ${profile.name}` },
  );
  if (chosen === undefined) return;
  const name = await askName('Name of the Chart', chart.name);
  if (name === undefined) return;
  const added = { ...chart, name };
  const record =
    chosen.id === undefined
      ? await addToNew(service.value, profile, added)
      : await addToStored(service.value, profile, chosen.id, added);
  if (record === undefined) return;
  if (!record.ok) return fail(record.failure);
  void vscode.commands.executeCommand('aplomb.refreshDashboards');
  const uid = String(record.value.uid);
  const title = String(membersOf(record.value.dashboard).name ?? uid);
  const show = 'Open Dashboard';
  void vscode.window.showInformationMessage(`Added ${name} to ${title}.`, show).then((pressed) => {
    if (pressed === show) open({ deployment: profile.name, id: uid, name: title });
  });
}

/** The query of the result in view, drawn as it is drawn there. */
function chartInView({ tabs, store }: Context): NewChart | undefined {
  const tab = tabs.active;
  const answer = tab && answerIn(tab.state);
  const held = answer === undefined ? undefined : store.get(answer);
  if (tab === undefined || held === undefined) return undefined;
  const { viewState, head, about } = held;
  const table = head.tables[viewState.table];
  const view = viewState.tables[viewState.table];
  const shape = table && chartShape(table, head.aggregated);
  const kind = view?.chart?.kind ?? shape?.kinds[0];
  const isTable = view?.shown === 'table' || kind === undefined;
  const style = view?.chart?.style;
  return {
    name: tab.title.slice(0, 100) || 'Chart',
    apl: about.query,
    ...(!isTable && { kind, ...(style && { style }) }),
  };
}

async function addToNew(
  service: Service,
  profile: Profile,
  chart: NewChart,
): Promise<Outcome<Members> | undefined> {
  const name = await askName('Name of the Dashboard', '');
  if (name === undefined) return undefined;
  if (!(await confirmedOnProduction(profile, `Create the dashboard ${name}`, 'Create')))
    return undefined;
  return createDashboard(service, withChart(newDashboard(name), chart));
}

async function addToStored(
  service: Service,
  profile: Profile,
  uid: string,
  chart: NewChart,
): Promise<Outcome<Members> | undefined> {
  if (!(await confirmedOnProduction(profile, `Add ${chart.name} to a dashboard`, 'Add')))
    return undefined;
  let record = await readDashboard(service, uid);
  for (let tries = 1; record.ok; tries += 1) {
    const written = await writeDashboard(
      service,
      record.value,
      withChart(membersOf(record.value.dashboard), chart),
    );
    if (written.ok || !isConflict(written.failure) || tries === triesMax) {
      return written.ok ? { ok: true, value: membersOf(written.value.dashboard) } : written;
    }
    const add = 'Add to the Current Version';
    const chosen = await vscode.window.showWarningMessage(
      'The dashboard was changed by someone else in the meantime.',
      { modal: true, detail: 'Their changes are kept. The chart is added to the current version.' },
      add,
    );
    if (chosen !== add) return undefined;
    record = await readDashboard(service, uid);
  }
  return record;
}

function isConflict({ status }: Failure): boolean {
  return status === 409 || status === 412;
}

async function askName(title: string, value: string): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title,
    value,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === ''
        ? 'Enter a name.'
        : text.length > 100
          ? 'A name has at most 100 characters.'
          : undefined,
  });
  return name?.trim();
}

/** Asks before something is written to a deployment that is marked as production. */
export async function confirmedOnProduction(
  profile: Profile,
  doing: string,
  action: string,
): Promise<boolean> {
  if (profile.kind === 'local' || !profile.production) return true;
  const chosen = await vscode.window.showWarningMessage(
    `${doing} on ${profile.name}?`,
    { modal: true, detail: `${profile.name} is marked as production.` },
    action,
  );
  return chosen === action;
}

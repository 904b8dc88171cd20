// Opens dashboard and monitor tabs, and connects them to their deployments. Loaded when the first page opens.
import * as vscode from 'vscode';
import { kinds } from '../../../../resources/src/kinds.ts';
import type { Members } from '../../../../resources/src/value.ts';
import { readAnnotations } from '../../charts/host/marksSource.ts';
import { offsetMinutes } from '../../charts/offset.ts';
import type { Context } from '../../context.ts';
import { askDeployment } from '../../deployments/askDeployment.ts';
import { titleLine } from '../../deployments/fileLines.ts';
import type { Profile } from '../../deployments/profiles.ts';
import { type DocumentAddress, readAddress, whereOf } from '../../deployments/resourceAddress.ts';
import { type Advice, adviceFor } from '../../host/advice.ts';
import { showFailure } from '../../host/notify.ts';
import { openApl } from '../../host/openApl.ts';
import {
  answerLimits,
  dashboardConcurrency,
  onSettingChanged,
  queryTimeoutMs,
  resultsTimeZone,
} from '../../host/settings.ts';
import { answerProfile, askUnlisted } from '../../query/answerService.ts';
import type { Query } from '../../query/query.ts';
import { runAnswer, serviceOf } from '../../query/runAnswer.ts';
import { getRecord } from '../../resources/calls.ts';
import { listResources, resourceOf } from '../../resources/resource.ts';
import { Arrangements } from '../../results/arrangements.ts';
import { viewEffects } from '../../results/viewEffects.ts';
import { stateOfPart } from '../../rpc/parts.ts';
import { askForValue } from '../../service/ask.ts';
import type { Outcome } from '../../service/failure.ts';
import type { Service } from '../../service/service.ts';
import { parseTimeRange } from '../../time/parseTimeRange.ts';
import { pickTimeRange } from '../../time/pickTimeRange.ts';
import { boundNanoseconds, rangeParameters, rangeText, timestamp } from '../../time/timeRange.ts';
import { createWebviewPanel } from '../../ui/editorParts.ts';
import { showInputBox, showQuickPick } from '../../ui/inputs.ts';
import { showInformationMessage } from '../../ui/notifications.ts';
import { showProgress } from '../../ui/progress.ts';
import { loadPage } from '../../webview/webviewPage.ts';
import type { MonitorItem } from '../boardContent.ts';
import { dashboardPanel, monitorPanel } from '../boardPanels.ts';
import { type KeptBoard, keptBoard } from '../boardsContract.ts';
import { textOf } from '../model/dashboard.ts';
import { addToDashboard } from './addToDashboard.ts';
import { againCommand } from './boardPage.ts';
import type { CardQuestion } from './cards.ts';
import { chartQuery } from './chartQuery.ts';
import { DashboardSession } from './dashboardSession.ts';
import { MonitorSession } from './monitorSession.ts';
import type { Opened, PageParts } from './pageParts.ts';
import { changeMonitor } from './writes.ts';

type Kind = Opened['kind'];
type Session = DashboardSession | MonitorSession;

interface Tab {
  readonly panel: vscode.WebviewPanel;
  readonly session: Session;
}

const rows = {
  dashboard: { panel: dashboardPanel, resource: 'dashboards' },
  monitor: { panel: monitorPanel, resource: 'monitors' },
} as const;

export class BoardsUi implements vscode.Disposable {
  readonly #context: Context;
  readonly #tabs = new Map<string, Tab>();
  readonly #subscription: vscode.Disposable;

  constructor(context: Context) {
    this.#context = context;
    this.#subscription = onSettingChanged(['results.timeZone'], () => {
      for (const { session } of this.#tabs.values()) session.page.refreshZone();
    });
  }

  /** Opens a resource selected in a tree or in its document's editor. Prompts for a resource if `target` has none. */
  async open(kind: Kind, target: unknown): Promise<Session | undefined> {
    const { active } = this.#context.deployments;
    const found = resourceIn(target) ?? (await this.#choose(kind, active));
    if (found === undefined) return undefined;
    if (found.id === '')
      return void showInformationMessage(`Save the ${kind} to create it, then open its page.`);
    // Hide the results view, because a dashboard needs its height.
    if (kind === 'dashboard') await this.#context.results.hide();
    const { id, name = id, deployment = active.name } = found;
    return this.#open({ kind, deployment, id, name });
  }

  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = stateOfPart(state, 'board');
    if (!keptBoard(kept)) return panel.dispose();
    const { kind, deployment, id, name } = kept;
    this.#show({ kind, deployment, id, name }, panel, kept);
  }

  addToDashboard(): Promise<void> {
    return addToDashboard(this.#context, (opened) => this.#open({ kind: 'dashboard', ...opened }));
  }

  dispose(): void {
    this.#subscription.dispose();
    // Keep the panels open, because the reloaded window restores them.
    for (const { session } of this.#tabs.values()) session.dispose();
  }

  #open(opened: Opened): Session {
    const known = this.#tabs.get(keyOf(opened));
    if (known !== undefined) {
      known.panel.reveal();
      void known.session.page.load();
      return known.session;
    }
    const { panel: type } = rows[opened.kind];
    const panel = createWebviewPanel(type, opened.name, vscode.ViewColumn.Active);
    return this.#show(opened, panel);
  }

  #show(opened: Opened, panel: vscode.WebviewPanel, kept?: KeptBoard): Session {
    const { extension, log } = this.#context;
    const { extensionUri } = extension;
    const icon = (theme: string) =>
      vscode.Uri.joinPath(extensionUri, `media/${opened.kind}-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    const parts = this.#parts(opened, (name) => {
      panel.title = name;
    });
    const session = this.#session(opened, parts, kept);
    const pipe = loadPage(panel.webview, extensionUri, { name: 'boards', title: opened.name });
    const attached = session.page.attach(pipe);
    this.#tabs.set(keyOf(opened), { panel, session });
    panel.onDidChangeViewState(() => session.setVisible(panel.visible));
    panel.onDidDispose(() => {
      this.#tabs.delete(keyOf(opened));
      attached.dispose();
      session.dispose();
    });
    session.page.load().catch((error: unknown) => log.error(`Opening ${opened.name}`, error));
    return session;
  }

  #session(opened: Opened, parts: PageParts, kept?: KeptBoard): Session {
    if (opened.kind === 'dashboard') return new DashboardSession(parts, kept);
    return new MonitorSession({
      ...parts,
      change: (change) => this.#changeMonitor(opened, change),
      askUntil,
      queryFacts: (apl) => this.#context.language.queryFacts(apl),
    });
  }

  async #changeMonitor(opened: Opened, change: Members): Promise<Outcome<Members> | undefined> {
    const { deployments } = this.#context;
    const profile = answerProfile(deployments, opened.deployment);
    if (!profile.ok) return profile;
    // Confirm before reading the monitor, because others may change it while the user decides.
    if (!(await deployments.writes.confirm(profile.value, 'updateMonitor'))) return undefined;
    const service = await serviceOf(profile.value, deployments);
    const changed = service.ok ? await changeMonitor(service.value, opened.id, change) : service;
    if (changed.ok) void vscode.commands.executeCommand('aplomb.refreshMonitors');
    return changed;
  }

  #parts(opened: Opened, setTitle: (title: string) => void): PageParts {
    const { deployments, store, language, log, results, sharedCharts } = this.#context;
    const { passingAnswers: answers } = this.#context;
    const profile = (): Outcome<Profile> => answerProfile(deployments, opened.deployment);
    const withService = async <T>(
      work: (service: Service) => Promise<Outcome<T>>,
    ): Promise<Outcome<T>> => {
      const found = profile();
      const service = found.ok ? await serviceOf(found.value, deployments) : found;
      return service.ok ? work(service.value) : service;
    };
    const kept = new Map<string, unknown>();
    return {
      opened,
      store,
      answers,
      arrangements: new Arrangements({
        get: (key) => kept.get(key),
        update: (key, value) => kept.set(key, value),
      }),
      effects: viewEffects(language, log, results.documents),
      charts: sharedCharts,
      atOnce: dashboardConcurrency,
      timeZone: resultsTimeZone,
      now: Date.now,
      load: (signal) =>
        withService((service) => getRecord(service, rows[opened.kind].resource, opened.id, signal)),
      monitors: (signal) => withService((service) => monitorItems(service, signal)),
      ask: async (question, signal) => {
        const found = profile();
        if (!found.ok) return found;
        const { range } = question;
        const query = await this.#query(question);
        return runAnswer(
          { query, profile: found.value, range, askedAt: Date.now() },
          { deployments, answers, log },
          signal,
        );
      },
      annotations: (datasets, end, signal) =>
        withService((service) => readAnnotations(service, datasets, end, signal)),
      value: (question, signal) =>
        withService(async (service) => {
          const { text: apl, datasets, variables } = await this.#query(question);
          const times = rangeParameters(question.range, Date.now(), resultsTimeZone());
          return askForValue(
            { apl, ...times, ...(variables && { variables }) },
            { service, datasets, timeoutMs: queryTimeoutMs(), signal },
          );
        }),
      earlier: askUnlisted(deployments),
      limits: answerLimits,
      advice: (failure, needs): Advice => {
        const found = deployments.find(opened.deployment);
        log.warn(`${opened.name}: ${failure.message}`);
        return adviceFor(failure, {
          local: found?.kind === 'local',
          deployment: opened.deployment,
          again: { command: againCommand },
          needs,
        });
      },
      chooseRange: (title, value) =>
        pickTimeRange(title, { value, recent: this.#context.timeRange.recent }),
      openQuery: (question) => {
        const isActive = deployments.active.name === opened.deployment;
        return openQuery(question, isActive ? undefined : opened.deployment);
      },
      openDocument: async () => {
        const found = profile();
        if (!found.ok) {
          const attempt = { local: false, deployment: opened.deployment };
          return showFailure(`Cannot open ${opened.name}`, found.failure, attempt);
        }
        const { id } = opened;
        const kind = rows[opened.kind].resource;
        const address: DocumentAddress = { ...whereOf(found.value), kind, id, form: 'json' };
        await vscode.commands.executeCommand('aplomb.openPlace', address);
      },
      openMonitor: async (id) => {
        const record = await withService((service) => getRecord(service, 'monitors', id));
        const name = record.ok ? resourceOf('monitors', record.value, Date.now()).name : id;
        this.#open({ kind: 'monitor', deployment: opened.deployment, id, name });
      },
      onKept: (board) => {
        const session = this.#tabs.get(keyOf(opened))?.session;
        session?.page.send('keep', board);
        // A page opened by ID gets its title once the deployment has returned the name.
        setTitle(board.name);
      },
      onProblem: (problem) => log.warn(problem),
    };
  }

  async #query(question: CardQuestion): Promise<Query> {
    const facts = await this.#context.language.queryFacts(question.apl).catch(() => undefined);
    return chartQuery(question, facts);
  }

  async #choose(kind: Kind, profile: Profile): Promise<Found | undefined> {
    const { deployments } = this.#context;
    const { resource } = rows[kind];
    const about = { problem: `Cannot list ${kind}s`, needs: kinds[resource].requiredAccess };
    const location = { location: vscode.ProgressLocation.Window, title: `Listing ${kind}s` };
    const listed = await showProgress(location, () =>
      askDeployment(deployments, profile, about, (service) => listResources(service, resource)),
    );
    if (listed === undefined) return undefined;
    if (listed.length === 0)
      return void showInformationMessage(`There are no ${kind}s on ${profile.name}.`);
    const items = listed.map(({ id, name, note }) => ({
      label: name,
      description: note,
      id,
      name,
    }));
    return showQuickPick(items, {
      title: kind === 'dashboard' ? 'Open Dashboard' : 'Open Monitor',
      placeHolder: `Select a ${kind} of ${profile.name}`,
    });
  }
}

async function monitorItems(
  service: Service,
  signal: AbortSignal,
): Promise<Outcome<readonly MonitorItem[]>> {
  const listed = await listResources(service, 'monitors', { signal });
  if (!listed.ok) return listed;
  const items = listed.value.map(({ id, name, note, state }) => ({
    id,
    name,
    note,
    isEnabled: state === 'enabled',
  }));
  return { ok: true, value: items };
}

function keyOf({ kind, deployment, id }: Opened): string {
  return JSON.stringify([kind, deployment, id]);
}

interface Found {
  readonly id: string;
  readonly name?: string | undefined;
  readonly deployment?: string | undefined;
}

/** Reads a command's target: a tree item, a document URI or an ID. An unsaved draft has an empty ID. */
function resourceIn(target: unknown): Found | undefined {
  if (target instanceof vscode.Uri) {
    const address = readAddress(target.query);
    const name = target.path.slice(target.path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
    return address && { id: address.id, name, deployment: address.deployment };
  }
  if (typeof target === 'string') return { id: target };
  const { id, name, deployment } = (target ?? {}) as Members;
  if (typeof id !== 'string') return undefined;
  return { id, name: textOf(name), deployment: textOf(deployment) };
}

/** Opens an untitled APL document. Its first lines state the query's title, range, deployment and parameters. */
async function openQuery(
  { title, apl, range, variables = {} }: CardQuestion,
  deployment: string | undefined,
): Promise<void> {
  const lines = [
    titleLine(title),
    `// range: ${rangeText(range, resultsTimeZone())}`,
    ...(deployment === undefined ? [] : [`// deployment: ${deployment}`]),
    ...Object.entries(variables).map(([name, value]) => `// ${name} = ${JSON.stringify(value)}`),
    apl.trim(),
    '',
  ];
  await openApl(lines.join('\n'));
}

/** Prompts for a duration or a time, and returns the end as RFC 3339. */
async function askUntil(): Promise<string | undefined> {
  const until = (text: string): string | undefined => {
    const now = Date.now();
    const zone = resultsTimeZone();
    // Accept `for 30 min` as an equivalent of `30m`.
    const minutes = offsetMinutes(text.replace(/^\s*for\s+|(?<=\d\s*m)in\s*$/gi, ''));
    if (minutes !== undefined) return new Date(now + minutes * 60_000).toISOString();
    const range = parseTimeRange(text, now, zone);
    if (typeof range === 'string' || range.start.kind !== 'at') return undefined;
    const at = boundNanoseconds(range.start, now, zone);
    return at > BigInt(now) * 1_000_000n ? timestamp(at) : undefined;
  };
  const typed = await showInputBox({
    title: 'Disable Until',
    prompt: 'For how long, or until when?',
    placeHolder: 'Such as 30m, 2h, 3d, or 2027-01-31 08:00',
    validateInput: (text) =>
      text.trim() === '' || until(text) !== undefined
        ? undefined
        : 'Enter a length of time such as 2h, or a time in the future such as 2027-01-31 08:00.',
  });
  return typed === undefined ? undefined : until(typed);
}

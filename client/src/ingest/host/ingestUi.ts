// What the gestures for ingest open: the page over files, an editor's text or the clipboard, and runs that ended
// early. Loaded with the first of them.
import * as vscode from 'vscode';
import { diskSource } from '../../../../ingest/src/read/sources.ts';
import {
  deleteRun,
  describeResumePosition,
  journalsInProgress,
  type SavedRun,
  savedRuns,
} from '../../../../ingest/src/send/savedRuns.ts';
import { allTimes, type Extent, type ExtentRange, fetchArrivedExtent } from '../../api/extent.ts';
import type { Failure } from '../../api/failure.ts';
import type { Context } from '../../context.ts';
import { askForMissingToken } from '../../deployments/askToken.ts';
import { isProduction, type Profile } from '../../deployments/profiles.ts';
import type { WriteQuestion } from '../../deployments/writeWords.ts';
import { adviceFor } from '../../host/advice.ts';
import { showFailure } from '../../host/notify.ts';
import { resultsTimeZone } from '../../host/settings.ts';
import { languageId } from '../../languageServer/languageClient.ts';
import { deploymentOf } from '../../query/fileDeployment.ts';
import { rangeAround } from '../../time/extentWords.ts';
import { rangeText, type TimeRange } from '../../time/timeRange.ts';
import { createQuickPick, type PickItem } from '../../ui/inputs.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../../ui/messages.ts';
import { counted, grouped } from '../../words/counts.ts';
import { ingestFolder } from '../ingestFolder.ts';
import { ReaderWorker } from '../readerWorker.ts';
import { checkRun } from './checking.ts';
import { keptPage } from './contract.ts';
import { doubtQuery } from './doubtQuery.ts';
import { doubledQuestion, SeenRuns } from './endedRuns.ts';
import type { FinishedReport, IngestEngine, IngestInput, Sender } from './engine.ts';
import {
  clipboardInput,
  editorInput,
  fileAgain,
  type HandedFile,
  type Inputs,
  inputsOf,
} from './inputs.ts';
import { IngestPages, type IngestTab } from './pages.ts';
import { senderTo } from './sending.ts';
import {
  type ArrivedEvents,
  type FailedEvents,
  IngestSession,
  type SessionEffects,
} from './session.ts';
import { IngestTarget } from './target.ts';
import { bytesInWords } from './words.ts';

// What sends without the page is in the same bundle, so that one place knows which runs are in progress.
export { ingestAtOnce } from '../ingestAtOnce.ts';
export { generateSampleData } from '../samples/generateSampleData.ts';
export { sendText } from '../sendUnattended.ts';

/** The clocks of this machine and of a hosted service differ. */
const CLOCKS_DIFFER_MS = 60_000;

export class IngestUi implements vscode.Disposable {
  readonly #context: Context;
  readonly #pages: IngestPages;
  readonly #worker: ReaderWorker;
  readonly #seen: SeenRuns;
  readonly #engine: IngestEngine;
  /** Files of failed events that were opened, and where their events belong. */
  readonly #failed = new Map<string, FailedEvents & { readonly profile: Profile }>();

  constructor(context: Context) {
    this.#context = context;
    this.#pages = new IngestPages(context.extension);
    this.#seen = new SeenRuns(context.extension.globalState);
    const worker = new ReaderWorker(context.extension.asAbsolutePath('dist/ingest.cjs'));
    this.#worker = worker;
    this.#engine = {
      preview: (source, choices, target, signal) =>
        worker.preview(source, { choices, ...(target && { target }) }, signal),
      check: (job) => checkRun(job, (...how) => worker.check(...how)),
    };
  }

  dispose(): void {
    this.#pages.dispose();
    void this.#worker.dispose();
  }

  /** Files and folders. With a dataset, it is the target unless the person chooses another one. */
  async openFiles(files: readonly HandedFile[], dataset?: string): Promise<IngestTab | undefined> {
    const inputs = await inputsOf(files);
    if (inputs.inputs.length === 0) {
      void showInformationMessage(inputs.notice ?? 'There are no files to ingest.');
      return undefined;
    }
    const [only] = inputs.inputs;
    const failed =
      dataset === undefined && inputs.inputs.length === 1
        ? this.#failed.get(only?.source.path ?? '')
        : undefined;
    if (only === undefined || failed === undefined) return this.#open(inputs, dataset);
    const { choices, profile } = failed;
    return this.#open({ ...inputs, inputs: [{ ...only, choices }] }, failed.dataset, profile);
  }

  /** The selection of an editor, or all of its text. */
  async openEditor(editor: vscode.TextEditor): Promise<IngestTab | undefined> {
    const found = deploymentOf(this.#context.deployments, editor.document);
    if (!found.ok) {
      showFailure('Cannot ingest the selection', found.failure, { local: false });
      return undefined;
    }
    return this.#open({ inputs: [await editorInput(editor)] }, undefined, found.value);
  }

  async openClipboard(dataset?: string): Promise<IngestTab | undefined> {
    const text = await vscode.env.clipboard.readText();
    if (text.trim() === '') {
      void showInformationMessage(
        'The clipboard has no text. Copy events in JSON, NDJSON, CSV, logfmt or plain lines first.',
      );
      return undefined;
    }
    return this.#open({ inputs: [clipboardInput(text)] }, dataset ?? 'clipboard');
  }

  /** Shows a preview again that was open when the window was reloaded; a page of anything else is closed. */
  async restore(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const page = keptPage(kept) ? kept : undefined;
    const profile = page && this.#context.deployments.find(page.deployment);
    if (page === undefined || profile === undefined) return panel.dispose();
    const inputs = await Promise.all(
      page.files.map(async (file) => ({
        ...file,
        ...(await fileAgain(vscode.Uri.parse(file.uri), file.within)),
      })),
    );
    this.#open({ inputs }, page.dataset, profile, panel);
  }

  /** Asks which run to resume, and resumes it on a page. */
  async resume(): Promise<IngestTab | undefined> {
    const runs = await this.savedRuns();
    if (runs.length === 0) {
      void showInformationMessage('There is no ingest to resume.');
      return undefined;
    }
    const run = await askForRun(runs, (saved) => deleteRun(saved.path));
    return run && this.resumeRun(run);
  }

  /** Runs that ended early and whose file is on a disk, the latest first. */
  async savedRuns(): Promise<readonly SavedRun[]> {
    const runs = await savedRuns(this.#folder);
    const lost = runs.filter(({ header }) => header.file.path === undefined && isOld(header));
    // The text that they sent is gone with its window.
    await Promise.all(lost.map(({ path }) => deleteRun(path)));
    return runs.filter(({ header }) => header.file.path !== undefined);
  }

  /**
   * Offers to resume the runs of these journals that ended early, each once, and returns the journals of those that are
   * still in progress.
   */
  async offerToResume(journals: readonly string[]): Promise<readonly string[]> {
    const inProgress = await journalsInProgress(journals);
    void this.#offer(journals.filter((path) => !inProgress.includes(path)));
    return inProgress;
  }

  async #offer(journals: readonly string[]): Promise<void> {
    const runs = await this.savedRuns();
    const unseen = runs.filter(({ path }) => journals.includes(path) && !this.#seen.has(path));
    const paths = runs.map(({ path }) => path);
    for (const { path } of unseen) await this.#seen.add(path, paths);
    const [run] = unseen;
    if (run === undefined) return;
    const resume = 'Resume';
    const choose = 'Resume Ingest…';
    const { header, resumeLine } = run;
    const where =
      resumeLine === undefined
        ? 'All of its lines were sent.'
        : `The first unsent line is line ${grouped(resumeLine)}.`;
    const only = unseen.length === 1;
    const message = only
      ? `The ingest of ${header.file.name} into '${header.dataset}' ended early. ${where}`
      : `${counted(unseen.length, 'ingest')} ended early.`;
    const chosen = await showWarningMessage(message, only ? resume : choose);
    if (chosen === resume) await this.resumeRun(run);
    else if (chosen === choose) await this.resume();
  }

  async resumeRun(run: SavedRun): Promise<IngestTab | undefined> {
    const { header, path } = run;
    const profile = this.#context.deployments.find(header.deployment);
    if (profile === undefined) {
      void showErrorMessage(
        `${header.file.name} was sent to ${header.deployment}, which is no longer in the settings. Add the deployment under this name to resume.`,
      );
      return undefined;
    }
    const file = header.file.path as string;
    const source = await diskSource(file).catch((error: Error) => {
      void showErrorMessage(`Cannot resume. ${error.message}`);
      return undefined;
    });
    if (source === undefined) return undefined;
    const uri = vscode.Uri.file(file).toString();
    const inputs = {
      inputs: [
        {
          source,
          reopen: () => diskSource(file),
          uri,
          included: true,
          resume: { path, dataset: header.dataset, settings: header.settings },
        },
      ],
    };
    const tab = this.#open(inputs, header.dataset, profile);
    await tab.session.start('ingest');
    return tab;
  }

  /** Where journals and failed events are kept. */
  get #folder(): string {
    return ingestFolder(this.#context.extension);
  }

  #open(
    { inputs, notice }: Inputs,
    dataset?: string,
    profile: Profile = this.#context.deployments.active,
    panel?: vscode.WebviewPanel,
  ): IngestTab {
    const { deployments, log, timeRange, schema } = this.#context;
    const target = new IngestTarget(deployments, profile);
    const name = inputs.length === 1 ? inputs[0]?.source.name : undefined;
    const session: IngestSession = new IngestSession({
      inputs,
      engine: this.#engine,
      effects: this.#effects(
        target,
        () => session,
        () => tab.close(),
      ),
      deployment: profile.name,
      production: isProduction(profile),
      ...(dataset !== undefined && { dataset }),
      ...(notice !== undefined && { notice }),
      onProblem: (problem) => log.warn(problem),
    });
    const subscription = vscode.Disposable.from(
      timeRange.onDidChange(() => session.refresh()),
      schema.onDidChange(() => void session.datasetsChanged()),
    );
    const tab: IngestTab = this.#pages.open(
      {
        session,
        title: `Ingest ${name ?? counted(inputs.length, 'File')}`,
        forgotten: () => subscription.dispose(),
      },
      panel,
    );
    session.begin().catch((error) => log.error('Previewing files', error));
    return tab;
  }

  #effects(target: IngestTarget, session: () => IngestSession, close: () => void): SessionEffects {
    const { timeRange, schema } = this.#context;
    return {
      datasets: () => target.datasets(),
      targetSchema: (dataset) => target.schema(dataset),
      connect: (job) => this.#connect(target, job),
      arrivedSpan: async (arrived) =>
        target.profile.kind === 'local' ? this.#arrivedSpan(target, arrived, allTimes) : undefined,
      currentRange: () => ({
        range: timeRange.value,
        zone: resultsTimeZone(),
        now: Date.now(),
      }),
      setTimeRange: (range) => timeRange.set(range),
      queryArrived: (events) => this.#queryArrived(target, events),
      queryDoubt: (report) => this.#queryDoubt(target, report, session()),
      openLine: (input, line) => openLine(input, line),
      openFailed: async (path, from) => {
        this.#failed.set(path, { ...from, profile: target.profile });
        await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
      },
      runAction: ({ command, arguments: given }) =>
        void vscode.commands.executeCommand(command, ...(given ?? [])),
      actionsFor: ({ advice, dataset }) =>
        isFailure(advice)
          ? adviceFor(advice, {
              local: target.profile.kind === 'local',
              needs: `ingest access to ${dataset}`,
            }).actions
          : [],
      ended: async (dataset, resumable) => {
        const paths = resumable.length === 0 ? [] : await savedRuns(this.#folder);
        for (const path of resumable)
          await this.#seen.add(
            path,
            paths.map((run) => run.path),
          );
        schema.invalidate([dataset], target.profile.name);
      },
      close,
    };
  }

  async #connect(
    target: IngestTarget,
    job: Parameters<SessionEffects['connect']>[0],
  ): Promise<Sender | undefined> {
    const { profile } = target;
    const { writes } = this.#context.deployments;
    if (!(await writes.confirm(profile, 'ingest', ingestQuestion(profile.name, job))))
      return undefined;
    if (!(await this.#confirmDoubled(profile.name, job))) return undefined;
    await askForMissingToken(this.#context.deployments, profile);
    const service = await target.service();
    if (!service.ok) {
      showFailure('Cannot ingest the files', service.failure, { local: profile.kind === 'local' });
      return undefined;
    }
    return senderTo(target, this.#worker, this.#folder);
  }

  /** False where the person rather continues an earlier run. */
  async #confirmDoubled(
    deployment: string,
    { dataset, fresh }: Parameters<SessionEffects['connect']>[0],
  ): Promise<boolean> {
    const runs = fresh.length === 0 ? [] : await savedRuns(this.#folder);
    const question = doubledQuestion(runs, { paths: fresh, dataset, deployment });
    if (question === undefined) return true;
    const send = 'Send from the Start';
    const { message, detail } = question;
    const chosen = await showWarningMessage(message, { modal: true, detail }, send);
    return chosen === send;
  }

  /** Queries the dataset in the range of the events. */
  async #queryArrived(target: IngestTarget, events: ArrivedEvents): Promise<void> {
    const { dataset, first, last, from, to } = events;
    const known =
      first !== undefined && last !== undefined
        ? { first, last }
        : { first: new Date(from).toISOString(), last: new Date(to).toISOString() };
    // Of a hosted deployment, the run knows the times of the first events at least.
    const found =
      target.profile.kind === 'hosted'
        ? await this.#arrivedSpan(target, events, around(known))
        : undefined;
    const lines = this.#fileLines(target, rangeAround({ events: 0, ...known, ...found }));
    const source = await this.#context.language.quoteName(dataset);
    await openQuery(`${lines}${source}\n| take 100\n`);
  }

  /** The lines of a file that state where and over which range its queries run; the window keeps its own. */
  #fileLines({ profile }: IngestTarget, range: TimeRange): string {
    const isActive = this.#context.deployments.active.name === profile.name;
    const lines = [
      `// range: ${rangeText(range, resultsTimeZone())}`,
      ...(isActive ? [] : [`// deployment: ${profile.name}`]),
    ];
    return `${lines.join('\n')}\n\n`;
  }

  async #arrivedSpan(
    target: IngestTarget,
    { dataset, from, to }: ArrivedEvents,
    range: ExtentRange,
  ): Promise<Extent | undefined> {
    const service = await target.service();
    if (!service.ok) return undefined;
    const apart = clockDifference(target);
    const arrived = {
      from: new Date(from - apart).toISOString(),
      to: new Date(to + apart).toISOString(),
    };
    const extent = await fetchArrivedExtent(service.value, dataset, arrived, range);
    return extent.ok ? extent.value : undefined;
  }

  async #queryDoubt(
    target: IngestTarget,
    report: FinishedReport,
    session: IngestSession,
  ): Promise<void> {
    const { language } = this.#context;
    const { from, to } = session.sentAt(report);
    const apart = clockDifference(target);
    const { firstTime: first, lastTime: last } = report;
    const range =
      first !== undefined && last !== undefined
        ? { first, last }
        : { first: new Date(from).toISOString(), last: new Date(to).toISOString() };
    const lines = this.#fileLines(target, rangeAround({ events: 0, ...range }));
    const content = doubtQuery({
      report,
      source: await language.quoteName(report.dataset),
      from: new Date(from - apart).toISOString(),
      to: new Date(to + apart).toISOString(),
    });
    await openQuery(`${lines}${content}`);
  }
}

/** Opens a document with a query at its end, and runs it. */
async function openQuery(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: languageId, content });
  const end = document.positionAt(content.trimEnd().length);
  await vscode.window.showTextDocument(document, {
    preview: false,
    selection: new vscode.Range(end, end),
  });
  await vscode.commands.executeCommand('aplomb.runQuery', document.uri);
}

function clockDifference({ profile }: IngestTarget): number {
  return profile.kind === 'local' ? 0 : CLOCKS_DIFFER_MS;
}

/** What is usually looked at, and what is known to be there. */
function around({ first, last }: { readonly first: string; readonly last: string }): ExtentRange {
  const recently = Date.now() - RECENT_DAYS * DAY_MS;
  return {
    startTime: new Date(Math.min(Date.parse(first), recently)).toISOString(),
    endTime: new Date(Math.max(Date.parse(last) + DAY_MS, Date.now())).toISOString(),
  };
}

const RECENT_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1_000;

function isOld({ startedAt }: SavedRun['header']): boolean {
  return Date.now() - Date.parse(startedAt) > DAY_MS;
}

function isFailure(advice: unknown): advice is Failure {
  return typeof advice === 'object' && advice !== null && 'kind' in advice && 'message' in advice;
}

/** What is sent, for the question before it goes to production. */
function ingestQuestion(
  deployment: string,
  { dataset, files, bytes, isNew }: Parameters<SessionEffects['connect']>[0],
): WriteQuestion & { readonly covers: readonly string[] } {
  return {
    message: `Ingest into '${dataset}' on ${deployment}?`,
    detail: `${counted(files, 'file')} (${bytesInWords(bytes)}) ${files === 1 ? 'is' : 'are'} sent to the ${isNew ? 'new' : 'existing'} dataset '${dataset}'. Events cannot be removed one by one.`,
    action: 'Ingest',
    // A dataset that is not there yet is created with the first events.
    covers: isNew ? ['createDataset'] : [],
  };
}

async function openLine({ uri }: IngestInput, line: number): Promise<void> {
  if (uri === undefined) return;
  const at = new vscode.Position(line - 1, 0);
  const address = vscode.Uri.parse(uri);
  try {
    const document = await vscode.workspace.openTextDocument(address);
    await vscode.window.showTextDocument(document, {
      preview: true,
      selection: document.lineAt(Math.min(at.line, document.lineCount - 1)).range,
    });
  } catch {
    // VS Code opens files beyond 50 MB in its own way only.
    await vscode.commands.executeCommand('vscode.open', address, {
      selection: new vscode.Range(at, at),
    });
  }
}

interface RunItem extends PickItem {
  readonly run: SavedRun;
}

/** One run is chosen; runs may be removed from the list. */
function askForRun(
  runs: readonly SavedRun[],
  remove: (run: SavedRun) => Promise<void>,
): Promise<SavedRun | undefined> {
  const pick = createQuickPick<RunItem>();
  const button = { iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Do Not Resume' };
  pick.title = 'Resume Ingest';
  pick.placeholder = 'Select the ingest to resume';
  pick.matchOnDetail = true;
  pick.items = runs.map((run) => ({ ...itemOf(run), buttons: [button] }));
  return new Promise((done) => {
    pick.onDidTriggerItemButton(({ item }) => {
      pick.items = pick.items.filter((other) => other !== item);
      void remove(item.run);
      if (pick.items.length === 0) pick.hide();
    });
    pick.onDidAccept(() => {
      done(pick.selectedItems[0]?.run);
      pick.hide();
    });
    pick.onDidHide(() => {
      done(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function itemOf(run: SavedRun): RunItem {
  const { header, stored, fileBytes } = run;
  const { name, path, size } = header.file;
  const percent = size === 0 ? 0 : Math.floor((100 * fileBytes) / size);
  const doubt = run.doubt.reduce((sum, { events }) => sum + events, 0);
  const parts = [
    `${percent}% of ${bytesInWords(size)}`,
    `${counted(stored, 'event')} stored`,
    doubt > 0 ? `${counted(doubt, 'event')} in doubt` : '',
    `resumes at ${describeResumePosition(run)}`,
  ];
  return {
    run,
    label: name,
    description: `into ${header.dataset} on ${header.deployment}`,
    detail: [...parts.filter(Boolean), path ?? ''].join(' · '),
  };
}

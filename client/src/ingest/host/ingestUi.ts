// Opens the ingest page for files, the text of an editor, the clipboard, and interrupted runs. Loaded when first used.
import * as vscode from 'vscode';
import { counted, grouped } from '../../../../formats/src/counts.ts';
import type { RunReport } from '../../../../ingest/src/contract.ts';
import { diskSource } from '../../../../ingest/src/read/sources.ts';
import {
  deleteRun,
  journalsInProgress,
  type SavedRun,
  savedRuns,
} from '../../../../ingest/src/send/savedRuns.ts';
import type { Context } from '../../context.ts';
import { attemptOn } from '../../deployments/askDeployment.ts';
import { askForMissingToken } from '../../deployments/askToken.ts';
import { deploymentOf } from '../../deployments/fileDeployment.ts';
import { isProduction, type Profile } from '../../deployments/profiles.ts';
import { adviceFor } from '../../host/advice.ts';
import { showFailure } from '../../host/notify.ts';
import { resultsTimeZone } from '../../host/settings.ts';
import type { Failure } from '../../service/failure.ts';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../ui/notifications.ts';
import { datasetNameProblem } from '../datasetName.ts';
import { ingestFolder } from '../ingestFolder.ts';
import { ReaderWorker } from '../readerWorker.ts';
import { reportInWords } from '../reportWords.ts';
import { unsentReport } from '../unsentReport.ts';
import { ArrivedQueries } from './arrivedQueries.ts';
import { checkRun } from './checking.ts';
import { confirmSend } from './confirmSend.ts';
import type { FailedEvents, SendRequest, SessionEffects } from './effects.ts';
import { SeenRuns } from './endedRuns.ts';
import type { IngestEngine, IngestInput, Sender } from './engine.ts';
import { keptPage } from './ingestContract.ts';
import {
  clipboardInput,
  editorInput,
  fileAgain,
  type HandedFile,
  type Inputs,
  inputsOf,
  namedInputs,
} from './inputs.ts';
import { IngestTab } from './pages.ts';
import { askForRun } from './savedRunPick.ts';
import { senderTo } from './sending.ts';
import { IngestSession } from './session.ts';
import { IngestTarget } from './target.ts';

// Keep these senders in the same bundle, so that all runs share one list of runs in progress.
export { generateSampleData } from '../samples/generateSampleData.ts';
export { sendText } from '../sendText.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

interface Opened {
  /** The target dataset until the user chooses another one. */
  readonly dataset?: string;
  readonly profile?: Profile;
  readonly panel?: vscode.WebviewPanel;
  /** Whether to send without asking questions and without showing a page. */
  readonly isUnattended?: boolean;
}

export class IngestUi implements vscode.Disposable {
  readonly #context: Context;
  readonly #tabs = new Set<IngestTab>();
  readonly #worker: ReaderWorker;
  readonly #seen: SeenRuns;
  readonly #engine: IngestEngine;
  /** Opened files of failed events, by path, with their targets. */
  readonly #failed = new Map<string, FailedEvents & { readonly profile: Profile }>();

  constructor(context: Context) {
    this.#context = context;
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
    for (const tab of [...this.#tabs]) tab.dispose();
    void this.#worker.dispose();
  }

  /** Opens a page for files and folders. `dataset` is the initial target. */
  async openFiles(files: readonly HandedFile[], dataset?: string): Promise<IngestTab | undefined> {
    const inputs = await inputsOf(files);
    const [first, second] = inputs.inputs;
    if (first === undefined)
      return void showInformationMessage(inputs.notice ?? 'There are no files to ingest.');
    if (dataset !== undefined) return this.#open(inputs, { dataset });
    const failed = second ? undefined : this.#failed.get(first.source.path ?? '');
    if (failed === undefined) return this.#open(inputs, {});
    return this.#open({ ...inputs, inputs: [{ ...first, choices: failed.choices }] }, failed);
  }

  /** Ingests files into a dataset without a page or questions. Returns their reports. Throws if its name is invalid. */
  async ingestFiles(files: readonly vscode.Uri[], dataset: string): Promise<RunReport[]> {
    const problem = datasetNameProblem(dataset);
    if (problem !== undefined) throw new Error(problem);
    const tab = this.#open(await namedInputs(files), { dataset, isUnattended: true });
    const { session } = tab;
    await session.begin();
    await session.start('ingest');
    if (session.state.phase === 'preview') tab.dispose();
    const reports = session.files.flatMap(({ source, problem, report }) => {
      if (report !== undefined || problem === undefined) return report ?? [];
      const unsent = unsentReport(source.name, dataset, problem.message);
      void showErrorMessage(reportInWords(unsent));
      return unsent;
    });
    for (const report of reports) this.#logReport(report);
    return reports;
  }

  /** Logs the outcome and the reason for each rejected line, because no page shows them. */
  #logReport(report: RunReport): void {
    const { log } = this.#context;
    const isClean =
      report.outcome === 'complete' && report.failed + report.skipped + report.doubt.length === 0;
    log[isClean ? 'info' : 'warn'](reportInWords(report));
    for (const { line, reason } of report.failures)
      log.warn(`Line ${line} was not stored: ${reason}`);
  }

  async openEditor(editor: vscode.TextEditor): Promise<IngestTab | undefined> {
    const found = deploymentOf(this.#context.deployments, editor.document);
    if (!found.ok)
      return showFailure('Cannot ingest the selection', found.failure, { local: false });
    return this.#open({ inputs: [await editorInput(editor)] }, { profile: found.value });
  }

  async openClipboard(dataset?: string): Promise<IngestTab | undefined> {
    const text = await vscode.env.clipboard.readText();
    if (text.trim() === '')
      return void showInformationMessage(
        'The clipboard has no text. Copy events in JSON, NDJSON, CSV, logfmt or plain lines first.',
      );
    return this.#open({ inputs: [clipboardInput(text)] }, { dataset: dataset ?? 'clipboard' });
  }

  /** Restores a preview after a window reload. Any other page is closed. */
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
    this.#open({ inputs }, { dataset: page.dataset, profile, panel });
  }

  async resume(): Promise<IngestTab | undefined> {
    const runs = await this.savedRuns();
    if (runs.length === 0) return void showInformationMessage('There is no ingest to resume.');
    const run = await askForRun(runs, (saved) => deleteRun(saved.path));
    return run && this.resumeRun(run);
  }

  /** Returns interrupted runs of files on disk, latest first. Deletes old runs without a file, whose text is lost. */
  async savedRuns(): Promise<readonly SavedRun[]> {
    const runs = await savedRuns(this.#folder);
    const lost = runs.filter(({ header }) => header.file.path === undefined && isOld(header));
    await Promise.all(lost.map(({ path }) => deleteRun(path)));
    return runs.filter(({ header }) => header.file.path !== undefined);
  }

  /** Offers once to resume each interrupted run. Returns the journals of runs in progress. */
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
    if (profile === undefined)
      return void showErrorMessage(
        `${header.file.name} was sent to ${header.deployment}, which is no longer in the settings. Add the deployment under this name to resume.`,
      );
    const file = header.file.path as string;
    const source = await diskSource(file).catch((error: Error) => {
      void showErrorMessage(`Cannot resume. ${error.message}`);
      return undefined;
    });
    if (source === undefined) return undefined;
    const { dataset, settings } = header;
    const input = {
      source,
      reopen: () => diskSource(file),
      uri: vscode.Uri.file(file).toString(),
      included: true,
      resume: { path, dataset, settings },
    };
    const tab = this.#open({ inputs: [input] }, { dataset, profile });
    await tab.session.start('ingest');
    return tab;
  }

  get #folder(): string {
    return ingestFolder(this.#context.extension);
  }

  #open(
    { inputs, notice }: Inputs,
    { dataset, profile = this.#context.deployments.active, panel, isUnattended = false }: Opened,
  ): IngestTab {
    const { deployments, log, timeRange, schema } = this.#context;
    const target = new IngestTarget(deployments, profile);
    const name = inputs.length === 1 ? inputs[0]?.source.name : undefined;
    const session: IngestSession = new IngestSession({
      inputs,
      engine: this.#engine,
      effects: this.#effects(
        target,
        isUnattended,
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
    const title = `Ingest ${name ?? counted(inputs.length, 'File')}`;
    const tab: IngestTab = new IngestTab(this.#context.extension, session, title, () => {
      subscription.dispose();
      this.#tabs.delete(tab);
    });
    this.#tabs.add(tab);
    if (panel) tab.show(panel);
    else if (!isUnattended) tab.reveal();
    session.begin().catch((error) => log.error('Previewing files', error));
    return tab;
  }

  #effects(
    target: IngestTarget,
    isUnattended: boolean,
    session: () => IngestSession,
    close: () => void,
  ): SessionEffects {
    const { timeRange, schema } = this.#context;
    const queries = new ArrivedQueries(this.#context, target);
    return {
      datasets: () => target.datasets(),
      targetSchema: (dataset) => target.schema(dataset),
      connect: (job) => this.#connect(target, job, isUnattended),
      arrivedSpan: (arrived) => queries.span(arrived),
      currentRange: () => ({
        range: timeRange.value,
        zone: resultsTimeZone(),
        now: Date.now(),
      }),
      setTimeRange: (range) => timeRange.set(range),
      queryArrived: (events) => queries.queryArrived(events),
      queryDoubt: (report) => queries.queryDoubt(report, session().sentAt(report)),
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
              ...attemptOn(target.profile),
              needs: `ingest access to ${dataset}`,
            }).actions
          : [],
      ended: async (dataset, resumable) => {
        const runs = resumable.length === 0 ? [] : await savedRuns(this.#folder);
        const paths = runs.map(({ path }) => path);
        for (const path of resumable) await this.#seen.add(path, paths);
        schema.invalidate([dataset], target.profile.name);
      },
      close,
    };
  }

  async #connect(
    target: IngestTarget,
    job: SendRequest,
    isUnattended: boolean,
  ): Promise<Sender | undefined> {
    const { profile } = target;
    const { writes } = this.#context.deployments;
    if (!isUnattended && !(await confirmSend(writes, profile, job, this.#folder))) return undefined;
    await askForMissingToken(this.#context.deployments, profile);
    const service = await target.service();
    if (!service.ok)
      return showFailure('Cannot ingest the files', service.failure, attemptOn(profile));
    return senderTo(target, this.#worker, this.#folder);
  }
}

function isOld({ startedAt }: SavedRun['header']): boolean {
  return Date.now() - Date.parse(startedAt) > DAY_MS;
}

function isFailure(advice: unknown): advice is Failure {
  return typeof advice === 'object' && advice !== null && 'kind' in advice && 'message' in advice;
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
    // Use VS Code's own command, because only that opens files above 50 MB.
    await vscode.commands.executeCommand('vscode.open', address, {
      selection: new vscode.Range(at, at),
    });
  }
}

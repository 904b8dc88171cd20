/**
 * What a person does on the ingest page: files are previewed as they will be stored, checked or sent one after
 * the other, and reported. Free of vscode; what reaches beyond the page is done by `SessionEffects`.
 */
import type { RunProgress, TargetSchema } from '../../../../ingest/src/contract.ts';
import { Reporter } from '../../../../ingest/src/send/progress.ts';
import type { ReadSettings } from '../../../../ingest/src/settings.ts';
import type { Extent } from '../../api/extent.ts';
import type { TimeRange } from '../../time/timeRange.ts';
import { HostChannel, type Pipe } from '../../webview/hostChannel.ts';
import { datasetNameProblem } from '../datasetName.ts';
import { spanOf } from '../reportText.ts';
import { unsentReport } from '../unsentReport.ts';
import { type Choices, choicesOfFailed, forAnotherFile } from './choices.ts';
import { type IngestContract, ingestContract, type KeptPage } from './contract.ts';
import type { FinishedReport, IngestEngine, IngestInput, Sender } from './engine.ts';
import { FileRuns } from './fileRuns.ts';
import type { Mode, Phase, ProgressView, ReportView, Screen, ViewAction } from './messages.ts';
import { type RangeInEffect, shortEvent, spanRange } from './previewView.ts';
import { SessionFile } from './sessionFile.ts';

/** A button of a report, with the command that stays in the host. */
export interface ReportAction extends ViewAction {
  readonly arguments?: readonly unknown[];
}

export interface ArrivedEvents {
  readonly dataset: string;
  /** The span of their times, or of the first of them. Absent where they have the time of their arrival. */
  readonly first?: string;
  readonly last?: string;
  /** Milliseconds since 1970: when sending began and ended. */
  readonly from: number;
  readonly to: number;
}

export interface FailedEvents {
  readonly dataset: string;
  readonly choices: Choices;
}

export interface SessionEffects {
  /** Names of the datasets of the deployment that is used; undefined where they cannot be listed. */
  datasets(): Promise<readonly string[] | undefined>;
  /** What is known of an existing dataset. */
  targetSchema(dataset: string): Promise<TargetSchema | undefined>;
  /** Confirms and reaches the deployment; undefined where the person or the service said no. */
  connect(job: {
    readonly dataset: string;
    readonly files: number;
    readonly bytes: number;
    readonly isNew: boolean;
    /** Files on a disk that are sent from their start, rather than resumed. */
    readonly fresh: readonly string[];
  }): Promise<Sender | undefined>;
  /** The span of the times of what arrived, where the run does not know it and it costs nothing to ask. */
  arrivedSpan(arrived: ArrivedEvents): Promise<Extent | undefined>;
  currentRange(): RangeInEffect;
  setTimeRange(range: TimeRange): Promise<void>;
  queryArrived(events: ArrivedEvents): Promise<void>;
  /** Opens the query that counts the events of which it is not known whether they are stored. */
  queryDoubt(report: FinishedReport): Promise<void>;
  openLine(input: IngestInput, line: number): Promise<void>;
  /** Opens a file of failed events. They belong to a dataset, and are read like the file that they come from. */
  openFailed(path: string, from: FailedEvents): Promise<void>;
  runAction(action: ReportAction): void;
  /** What a failed run may be followed by. */
  actionsFor(report: FinishedReport): readonly ReportAction[];
  /** Files were sent to a dataset. `resumable` names the runs that ended early, whose report is shown. */
  ended(dataset: string, resumable: readonly string[]): Promise<void>;
  close(): void;
}

export interface SessionParts {
  readonly inputs: readonly IngestInput[];
  readonly engine: IngestEngine;
  readonly effects: SessionEffects;
  readonly deployment: string;
  readonly production: boolean;
  /** The dataset that was chosen before; without one, the name of a file is suggested. */
  readonly dataset?: string;
  /** About the files as a whole: that some were left out. */
  readonly notice?: string;
  readonly onProblem: (problem: string) => void;
}

/** What those outside of the page may want to know. */
export interface SessionState {
  readonly phase: Phase;
  readonly mode: Mode;
  readonly dataset: string;
  readonly progress?: ProgressView;
  readonly report?: ReportView;
}

/** How long a dataset's name rests before its schema is asked for. */
const TYPING_MS = 300;

const unreadable = 'The file cannot be read.';

export class IngestSession {
  readonly files: readonly SessionFile[];
  readonly #parts: SessionParts;
  readonly #channels = new Set<HostChannel<IngestContract>>();
  readonly #listeners = new Set<() => void>();
  #shown = 0;
  /** The name that was chosen or typed, or that of the run. */
  #named: string | undefined;
  #datasets: readonly string[] | undefined;
  #target: { readonly dataset: string; readonly schema: TargetSchema | undefined } | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #phase: Phase = 'preview';
  #mode: Mode = 'ingest';
  #connecting = false;
  #runs: FileRuns | undefined;
  #progress: ProgressView | undefined;
  /** Several runs report more often than a page can be drawn. */
  readonly #reporter = new Reporter(() => this.#sendProgress());
  #ran: readonly SessionFile[] = [];
  #ranAt = { from: 0, to: 0 };
  #report: ReportView | undefined;
  #actions: readonly ReportAction[] = [];
  #disposed = false;
  #begun: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.files = parts.inputs.map((input, id) => new SessionFile(id, input));
    this.#named = parts.dataset;
    this.#shown = Math.max(
      0,
      this.files.findIndex(({ included }) => included),
    );
  }

  get state(): SessionState {
    return {
      phase: this.#phase,
      mode: this.#mode,
      dataset: this.#dataset,
      ...(this.#progress && { progress: this.#progress }),
      ...(this.#report && { report: this.#report }),
    };
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Reads the previews, that of the shown file first. A second call waits for the first one. */
  begin(): Promise<void> {
    this.#begun ??= this.#readPreviews();
    return this.#begun;
  }

  async #readPreviews(): Promise<void> {
    await this.#refreshDatasets();
    for (const file of this.#byInterest()) {
      if (this.#disposed) return;
      if (file.isUnread) await this.#readPreview(file);
    }
  }

  /** Answers a page until it is disposed of. */
  attach(pipe: Pipe): { dispose(): void } {
    const channel: HostChannel<IngestContract> = new HostChannel({
      contract: ingestContract,
      pipe,
      requests: {},
      events: {
        ready: () => this.#sendAll(),
        show: ({ file }) => this.#show(file),
        include: ({ file, included }) => this.#include(file, included),
        choose: ({ file, choices }) => {
          const chosen = this.files[file];
          if (chosen === undefined || this.#phase !== 'preview') return;
          chosen.change(choices);
          return this.#readPreview(chosen);
        },
        applyToAll: ({ file }) => this.#applyToAll(file),
        setDataset: ({ dataset }) => this.#setDataset(dataset),
        setTimeRange: async ({ file }) => {
          const preview = this.files[file]?.preview;
          const range = preview && spanRange(preview);
          if (range) await this.#parts.effects.setTimeRange(range);
        },
        start: ({ mode }) => this.start(mode),
        pause: () => this.pause(),
        resume: () => this.resume(),
        cancel: () => this.cancel(),
        back: () => this.#back(),
        openLine: ({ file, line }) => {
          const input = this.files[file]?.input;
          return input && this.#parts.effects.openLine(input, line);
        },
        openFailed: ({ file }) => {
          const { report, ranWith, columns } = this.files[file] ?? {};
          if (report?.failedFile === undefined) return undefined;
          const choices = ranWith ? choicesOfFailed(ranWith, columns ?? []) : {};
          const { dataset } = report;
          return this.#parts.effects.openFailed(report.failedFile, { dataset, choices });
        },
        queryArrived: () => this.queryArrived(),
        queryDoubt: ({ file }) => {
          const report = this.files[file]?.report;
          return report && this.#parts.effects.queryDoubt(report);
        },
        resumeRun: ({ file }) => {
          const chosen = this.files[file];
          const resumable = chosen?.report?.resumable !== undefined;
          const isIdle = this.#phase === 'report' && !this.#connecting;
          return resumable && isIdle ? this.#runFiles('ingest', [chosen]) : undefined;
        },
        action: ({ command }) => {
          const action = this.#actions.find((one) => one.command === command);
          if (action) this.#parts.effects.runAction(action);
        },
        close: () => this.#parts.effects.close(),
      },
      onFailure: ({ message }) => this.#parts.onProblem(message),
      onProblem: this.#parts.onProblem,
    });
    this.#channels.add(channel);
    return {
      dispose: () => {
        this.#channels.delete(channel);
        channel.dispose();
      },
    };
  }

  /** Draws again: the time range has changed. */
  refresh(): void {
    this.#sendFile();
  }

  /** Lists the deployment's datasets again. A session without a page needs no list. */
  async datasetsChanged(): Promise<void> {
    if (this.#channels.size > 0) await this.#refreshDatasets();
  }

  /** Checks or sends the files that are included. */
  async start(mode: Mode): Promise<void> {
    if (this.#phase === 'running' || this.#connecting || this.#blocked() !== undefined) return;
    const files = this.files.filter(({ included }) => included);
    for (const file of files) file.report = undefined;
    await this.#runFiles(mode, files);
  }

  pause(): void {
    this.#runs?.pause();
  }

  resume(): void {
    this.#runs?.resume();
  }

  /** Ends the run; what is on its way is still counted. */
  cancel(): void {
    if (this.#phase === 'running') this.#runs?.cancel();
  }

  /** When the events of a report were sent, in ms since 1970, with the earlier parts of a run that was resumed. */
  sentAt(report: FinishedReport): { readonly from: number; readonly to: number } {
    const { from, to } = this.#ranAt;
    const { startedAt } = report;
    return { from: startedAt === undefined ? from : Math.min(from, Date.parse(startedAt)), to };
  }

  async queryArrived(): Promise<void> {
    const reports = this.#ran.flatMap(({ report }) => (report ? [report] : []));
    const from = Math.min(this.#ranAt.from, ...reports.map((report) => this.sentAt(report).from));
    const timed = this.#ran.find(({ preview }) => preview?.settings.time !== undefined);
    const { first, last } = timed?.preview?.time ?? {};
    await this.#parts.effects.queryArrived({
      dataset: reports[0]?.dataset ?? this.#dataset,
      ...(first !== undefined && last !== undefined && { first, last }),
      ...spanOf(reports),
      from,
      to: this.#ranAt.to,
    });
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#typing);
    for (const file of this.files) file.cancelReading();
    for (const channel of this.#channels) channel.dispose();
    this.#channels.clear();
    this.#listeners.clear();
  }

  #byInterest(): SessionFile[] {
    const shown = this.files[this.#shown];
    return [shown, ...this.files].filter(
      (file, index, all): file is SessionFile =>
        file !== undefined && (file.included || file === shown) && all.indexOf(file) === index,
    );
  }

  #readPreview(file: SessionFile): Promise<void> {
    return file.read(this.#parts.engine, this.#schema(), () => {
      // Another file may give the dataset its name now.
      if (this.#target && this.#target.dataset !== this.#dataset.trim()) void this.#refreshTarget();
      this.#sendScreen();
      if (file.id === this.#shown) this.#sendFile();
    });
  }

  /** The name of the dataset: by default that of the first file that can be read. */
  get #dataset(): string {
    const file = this.files.find(({ problem }) => problem === undefined) ?? this.files[0];
    return this.#named ?? file?.suggestedDataset ?? '';
  }

  #schema(): TargetSchema | undefined {
    return this.#target?.dataset === this.#dataset.trim() ? this.#target.schema : undefined;
  }

  #show(file: number): void {
    const chosen = this.files[file];
    if (chosen === undefined) return;
    this.#shown = file;
    this.#sendScreen();
    this.#sendFile();
    if (chosen.isUnread) void this.#readPreview(chosen);
  }

  #include(file: number, included: boolean): void {
    const chosen = this.files[file];
    if (chosen === undefined || this.#phase !== 'preview') return;
    chosen.included = included;
    this.#sendScreen();
    if (included && chosen.isUnread) void this.#readPreview(chosen);
  }

  async #applyToAll(id: number): Promise<void> {
    const from = this.files[id];
    if (from === undefined || this.#phase !== 'preview') return;
    const settings = from.preview?.settings;
    const choices = forAnotherFile({
      ...from.choices,
      ...(settings && { format: settings.format }),
    });
    for (const file of this.files) {
      if (file === from || !file.included) continue;
      const own = file.choices.compression;
      file.choices = { ...choices, ...(own !== undefined && { compression: own }) };
      if (this.#disposed) return;
      await this.#readPreview(file);
    }
  }

  #setDataset(dataset: string): void {
    if (this.#phase !== 'preview') return;
    this.#named = dataset;
    this.#sendScreen();
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#refreshTarget(), TYPING_MS);
  }

  async #refreshDatasets(): Promise<void> {
    this.#datasets = await this.#parts.effects.datasets().catch(() => undefined);
    this.#sendScreen();
    await this.#refreshTarget();
  }

  /** Previews say what disagrees with the target, so they are read again when it has another schema. */
  async #refreshTarget(): Promise<void> {
    const dataset = this.#dataset.trim();
    const isKnown = this.#datasets?.includes(dataset) === true;
    const schema = isKnown
      ? await this.#parts.effects.targetSchema(dataset).catch(() => undefined)
      : undefined;
    if (this.#disposed || dataset !== this.#dataset.trim()) return;
    const changed = JSON.stringify(schema) !== JSON.stringify(this.#target?.schema);
    this.#target = { dataset, schema };
    if (!changed) return;
    for (const file of this.files) if (file.preview) void this.#readPreview(file);
  }

  #back(): void {
    if (this.#phase !== 'report') return;
    this.#phase = 'preview';
    this.#report = undefined;
    this.#sendAll();
  }

  #blocked(): string | undefined {
    const { files } = this;
    if (files.every(({ problem }) => problem))
      return files.length === 1 ? 'The file cannot be read.' : 'None of the files can be read.';
    if (!files.some(({ included }) => included)) return 'Select at least one file.';
    return this.#datasetProblem();
  }

  #datasetProblem(): string | undefined {
    const dataset = this.#dataset.trim();
    if (this.#datasets?.includes(dataset)) return undefined;
    return datasetNameProblem(dataset);
  }

  async #runFiles(mode: Mode, files: readonly SessionFile[]): Promise<void> {
    // Files are read again before they are sent, which must not change where they go.
    this.#named = this.#dataset;
    const dataset = this.#dataset.trim();
    const sender = mode === 'ingest' ? await this.#connect(dataset, files) : undefined;
    if ((mode === 'ingest' && sender === undefined) || this.#disposed) return;
    this.#phase = 'running';
    this.#mode = mode;
    this.#report = undefined;
    this.#ran = files;
    this.#ranAt = { from: Date.now(), to: Date.now() };
    const runs = new FileRuns(files, (view, isUrgent) => this.#setProgress(view, isUrgent));
    this.#runs = runs;
    const ended = runs.each((file) => this.#runFile(file, dataset, sender, runs));
    this.#sendScreen();
    try {
      await ended;
      if (sender !== undefined) await this.#addSpans(files, dataset);
    } finally {
      await sender?.end();
      this.#runs = undefined;
      this.#ranAt = { ...this.#ranAt, to: Date.now() };
      this.#finish(mode, files);
      const resumable = files.flatMap(({ report }) => report?.resumable ?? []);
      if (mode === 'ingest') await this.#parts.effects.ended(dataset, resumable);
    }
  }

  async #connect(dataset: string, files: readonly SessionFile[]): Promise<Sender | undefined> {
    this.#connecting = true;
    try {
      return await this.#parts.effects.connect({
        dataset,
        files: files.length,
        bytes: files.reduce((sum, { source }) => sum + source.size, 0),
        isNew: this.#datasets?.includes(dataset) === false,
        fresh: files.flatMap((file) =>
          resumeOf(file, dataset) === undefined ? (file.source.path ?? []) : [],
        ),
      });
    } finally {
      this.#connecting = false;
    }
  }

  async #runFile(
    file: SessionFile,
    dataset: string,
    sender: Sender | undefined,
    runs: FileRuns,
  ): Promise<void> {
    const isSent = sender !== undefined;
    const former = file.report;
    const resume = isSent ? resumeOf(file, dataset) : undefined;
    try {
      const settings =
        resume === undefined
          ? await this.#freshSettings(file)
          : (file.ranWith ?? file.saved?.settings ?? settingsOf(file));
      if (runs.isCancelled) return;
      if (settings === undefined) {
        file.report = unsentReport(file.name, dataset, file.problem?.message ?? unreadable);
        return;
      }
      if (resume !== undefined) await file.refresh();
      const job = {
        source: file.source,
        settings,
        dataset,
        ...(resume !== undefined && { resume }),
        onProgress: (progress: RunProgress) => runs.progressed(file, progress),
      };
      const run = sender === undefined ? this.#parts.engine.check(job) : sender.run(job);
      file.ran(await runs.report(run));
      if (!isSent) return;
      // Kept until then: a run that could not be resumed is not begun again from the start instead.
      file.saved = undefined;
      file.ranWith = settings;
    } catch (error) {
      const problem = error as Error;
      this.#parts.onProblem(problem.stack ?? problem.message);
      file.report = former
        ? { ...former, problem: problem.message }
        : unsentReport(file.name, dataset, problem.message);
    }
  }

  /** The settings of the file as it is now: one that was saved since its preview is previewed again. */
  async #freshSettings(file: SessionFile): Promise<ReadSettings | undefined> {
    await file.settled();
    const changed = await file.refresh();
    if (changed || file.isUnread) void this.#readPreview(file);
    await file.settled();
    return settingsOf(file);
  }

  /** Adds the span of all files to those whose own is unknown: most runs leave it to the service to read times. */
  async #addSpans(files: readonly SessionFile[], dataset: string): Promise<void> {
    const sent = files.flatMap(({ report }) => (report && report.stored > 0 ? [report] : []));
    const unknown = files.filter(
      ({ report, ranWith }) =>
        report && report.stored > 0 && report.firstTime === undefined && ranWith?.time,
    );
    if (unknown.length === 0) return;
    const from = Math.min(...sent.map((report) => this.sentAt(report).from));
    const span = await this.#parts.effects
      .arrivedSpan({ dataset, from, to: Date.now() })
      .catch(() => undefined);
    if (span === undefined) return;
    for (const file of unknown) {
      const { report } = file;
      if (report) file.report = { ...report, firstTime: span.first, lastTime: span.last };
    }
  }

  #setProgress(progress: ProgressView, isUrgent: boolean): void {
    this.#progress = progress;
    if (isUrgent) this.#reporter.now();
    else this.#reporter.changed();
  }

  #sendProgress(): void {
    if (this.#progress === undefined) return;
    for (const channel of this.#channels) channel.send('progress', this.#progress);
    this.#changed();
  }

  #finish(mode: Mode, files: readonly SessionFile[]): void {
    const reports = files.map(({ id, name, hasLines, report }) => ({
      id,
      name,
      hasLines,
      ...(report && { report: shortReport(report) }),
      actions: report ? this.#parts.effects.actionsFor(report) : [],
    }));
    this.#actions = reports.flatMap(({ actions }) => actions);
    this.#report = {
      mode,
      files: reports.map(({ actions, ...file }) => ({
        ...file,
        actions: actions.map(({ label, command }) => ({ label, command })),
      })),
    };
    this.#phase = 'report';
    this.#progress = undefined;
    this.#sendScreen();
    for (const channel of this.#channels) channel.send('report', this.#report);
    this.#changed();
  }

  #sendAll(): void {
    this.#sendScreen();
    this.#sendFile();
    for (const channel of this.#channels) {
      if (this.#progress) channel.send('progress', this.#progress);
      if (this.#report) channel.send('report', this.#report);
    }
  }

  #sendScreen(): void {
    const screen = this.#screen();
    const kept = this.#kept();
    for (const channel of this.#channels) {
      channel.send('screen', screen);
      channel.send('keep', kept);
    }
    this.#changed();
  }

  /** A run is resumed by its journal, and text of an editor or the clipboard is gone with the window. */
  #kept(): KeptPage | null {
    if (this.#phase !== 'preview') return null;
    const files = this.files.flatMap(({ input, included, choices }) => {
      const { source, uri, folder, within, link, linesBefore, resume } = input;
      const isOnDisk = source.path !== undefined || link?.isOutside === true;
      const isWhole = isOnDisk && !linesBefore && resume === undefined;
      return isWhole && uri !== undefined
        ? [{ uri, included, choices, ...(folder && { folder }), ...(within && { within }) }]
        : [];
    });
    if (files.length < this.files.length) return null;
    return { deployment: this.#parts.deployment, dataset: this.#dataset, files };
  }

  #sendFile(): void {
    const view = this.files[this.#shown]?.view(this.#parts.effects.currentRange());
    if (view) for (const channel of this.#channels) channel.send('file', view);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #screen(): Screen {
    const { deployment, production, notice } = this.#parts;
    const problem = this.#datasetProblem();
    const blocked = this.#blocked();
    return {
      phase: this.#phase,
      mode: this.#mode,
      deployment,
      production,
      files: this.files.map((file) => file.item()),
      shown: this.#shown,
      target: {
        dataset: this.#dataset,
        ...(problem !== undefined && { problem }),
        ...(this.#datasets && { datasets: this.#datasets }),
      },
      ...(blocked !== undefined && { blocked }),
      ...(notice !== undefined && { notice }),
    };
  }
}

/** The run that goes on with a file, by its journal. For another dataset than it was begun for, it is another run. */
function resumeOf({ report, saved }: SessionFile, dataset: string): string | undefined {
  if (report !== undefined) return report.resumable;
  return saved?.dataset === dataset ? saved.path : undefined;
}

/** The settings that a file is read with: those of its preview. */
function settingsOf({ preview, problem, choices }: SessionFile): ReadSettings | undefined {
  if (preview === undefined || problem !== undefined) return undefined;
  return {
    ...preview.settings,
    labels: choices.labels ?? preview.settings.labels,
    broken: choices.broken ?? preview.settings.broken,
  };
}

const FAILURES_MAX = 200;
const REASONS_MAX = 20;

/** Cuts a report, so that a message to the page stays small. The advice is for the host. */
function shortReport({ advice: _, failures, reasons, ...report }: FinishedReport): FinishedReport {
  return {
    ...report,
    failures: failures.slice(0, FAILURES_MAX).map(shortEvent),
    reasons: reasons.slice(0, REASONS_MAX),
  };
}

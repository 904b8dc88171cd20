/**
 * An ingest page's session: previews, checks and sends files, and reports the results. Carries out the effects of
 * `reduce`, and draws the page. Independent of VS Code, which `SessionEffects` wraps.
 */

import { Reporter } from '../../../../ingest/src/send/progress.ts';
import { Emitter } from '../../host/emitter.ts';
import { AttachedPages } from '../../webview/attachedPages.ts';
import type { EventHandlers, Pipe } from '../../webview/hostChannel.ts';
import { spanOf } from '../reportText.ts';
import { choicesOfFailed } from './choices.ts';
import type { SessionEffects } from './effects.ts';
import type { FinishedReport, IngestEngine, IngestInput } from './engine.ts';
import { type IngestContract, ingestContract } from './ingestContract.ts';
import type { Mode, ReportView } from './pageFacts.ts';
import { spanRange } from './previewView.ts';
import { columnsOf, fileProblemOf, reopened } from './reading.ts';
import { SessionRun, sentAt } from './sessionRun.ts';
import {
  datasetOf,
  type FileState,
  initialState,
  isIncluded,
  isUnread,
  reduce,
  type SessionEffect,
  type SessionEvent,
  type SessionState,
} from './sessionState.ts';
import { fileViewOf, keptPageOf, type PageFacts, reportViewOf, screenOf } from './sessionViews.ts';

export interface SessionParts extends PageFacts {
  readonly inputs: readonly IngestInput[];
  readonly engine: IngestEngine;
  readonly effects: SessionEffects;
  /** The chosen dataset. By default, the session suggests a name derived from a file's name. */
  readonly dataset?: string;
  readonly onProblem: (problem: string) => void;
}

/**
 * Events after which the page isn't drawn. Drawing it after each report would send the list of files once per file.
 * Choices and changed files are followed by a read or a send, which draws the page. Drawing earlier would undo a click
 * with the settings of the previous preview.
 */
const undrawn: ReadonlySet<SessionEvent['type']> = new Set([
  'choose',
  'reopened',
  'declined',
  'ran',
  'failed',
  'spanned',
]);

/** The delay between typing a dataset's name and requesting its schema. */
const TYPING_MS = 300;

interface Reading {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export class IngestSession {
  readonly #parts: SessionParts;
  readonly #pages: AttachedPages<IngestContract>;
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;
  readonly #readings = new Map<number, Reading>();
  /** Limits the number of updates, because several runs report more often than the page can be drawn. */
  readonly #reporter = new Reporter(() => this.#sendProgress());
  #state: SessionState;
  #drawn: SessionState;
  #run: SessionRun | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #begun: Promise<void> | undefined;
  #isDisposed = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#pages = new AttachedPages({ contract: ingestContract, onProblem: parts.onProblem });
    this.#state = initialState(parts.inputs, parts.dataset);
    this.#drawn = this.#state;
  }

  get files(): readonly FileState[] {
    return this.#state.files;
  }

  get state() {
    const { phase, run, progress } = this.#state;
    const report = this.#report;
    return {
      phase,
      mode: run?.mode ?? 'ingest',
      dataset: datasetOf(this.#state),
      ...(progress && { progress }),
      ...(report && { report }),
    };
  }

  /** Reads the previews, starting with the visible file. A second call returns the same promise. */
  begin(): Promise<void> {
    this.#begun ??= this.#readPreviews();
    return this.#begun;
  }

  async #readPreviews(): Promise<void> {
    await this.#listDatasets();
    const { shown, files } = this.#state;
    const order = [shown, ...files.filter(isIncluded).map(({ id }) => id)];
    for (const id of new Set(order)) await this.#readUnread(id);
  }

  async #readUnread(id: number): Promise<void> {
    const file = this.files[id];
    if (file && isUnread(file) && !this.#isDisposed) await this.#read(id);
  }

  /** Sends the state to a page and handles its events until the result is disposed of. */
  attach(pipe: Pipe): { dispose(): void } {
    return this.#pages.attach(pipe, { requests: {}, events: this.#handlers() });
  }

  #handlers(): EventHandlers<IngestContract> {
    const { effects } = this.#parts;
    return {
      ready: () => this.#sendAll(),
      show: ({ file }) => this.#dispatch({ type: 'show', file }),
      include: (content) => this.#dispatch({ type: 'include', ...content }),
      choose: (content) => this.#dispatch({ type: 'choose', ...content }),
      applyToAll: ({ file }) => this.#dispatch({ type: 'applyToAll', file }),
      setDataset: ({ dataset }) => this.#dispatch({ type: 'setDataset', dataset }),
      setTimeRange: async ({ file }) => {
        const preview = this.files[file]?.preview;
        const range = preview && spanRange(preview);
        if (range) await effects.setTimeRange(range);
      },
      start: ({ mode }) => this.start(mode),
      pause: () => this.#run?.runs.pause(),
      resume: () => this.#run?.runs.resume(),
      cancel: () => this.cancel(),
      back: () => this.#dispatch({ type: 'back' }),
      openLine: ({ file, line }) => {
        const input = this.files[file]?.input;
        return input && effects.openLine(input, line);
      },
      openFailed: ({ file }) => {
        const { report, ranWith, preview } = this.files[file] ?? {};
        if (report?.failedFile === undefined) return undefined;
        const choices = ranWith ? choicesOfFailed(ranWith, columnsOf(preview)) : {};
        return effects.openFailed(report.failedFile, { dataset: report.dataset, choices });
      },
      queryArrived: () => this.queryArrived(),
      queryDoubt: ({ file }) => {
        const report = this.files[file]?.report;
        return report && effects.queryDoubt(report);
      },
      resumeRun: ({ file }) => this.#dispatch({ type: 'resumeRun', file }),
      action: ({ command }) => this.runAction(command),
      close: () => effects.close(),
    };
  }

  /** Sends the visible file again after a change of the time range. */
  refresh(): void {
    this.#sendFile();
  }

  /** Lists the deployment's datasets again, if a page shows them. */
  async datasetsChanged(): Promise<void> {
    if (!this.#pages.isEmpty) await this.#listDatasets();
  }

  /** Checks or sends the included files. Settles at the end of the run. */
  start(mode: Mode): Promise<void> {
    return this.#dispatch({ type: 'start', mode });
  }

  cancel(): void {
    if (this.#state.phase === 'running') this.#run?.runs.cancel();
  }

  sentAt(report: FinishedReport): { readonly from: number; readonly to: number } {
    return sentAt(this.#state.run ?? { from: Date.now(), to: Date.now() }, report);
  }

  runAction(command: string): void {
    const { effects } = this.#parts;
    const reports = this.files.flatMap(({ report }) => report ?? []);
    const actions = reports.flatMap((report) => effects.actionsFor(report));
    const action = actions.find((one) => one.command === command);
    if (action) effects.runAction(action);
  }

  async queryArrived(): Promise<void> {
    const { run, files } = this.#state;
    if (run === undefined) return;
    const ran = run.files.flatMap((id) => files[id] ?? []);
    const reports = ran.flatMap(({ report }) => report ?? []);
    const timed = ran.find(({ preview }) => preview?.settings.time !== undefined);
    const { first, last } = timed?.preview?.time ?? {};
    await this.#parts.effects.queryArrived({
      dataset: reports[0]?.dataset ?? run.dataset,
      ...(first !== undefined && last !== undefined && { first, last }),
      ...spanOf(reports),
      from: Math.min(run.from, ...reports.map((report) => sentAt(run, report).from)),
      to: run.to,
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#typing);
    for (const { controller } of this.#readings.values()) controller.abort();
    this.#pages.dispose();
    this.#changed.dispose();
  }

  /** Applies an event, draws the page if necessary, and settles after carrying out the effects. */
  async #dispatch(event: SessionEvent): Promise<void> {
    const former = this.#state;
    const { state, effects } = reduce(former, event);
    this.#state = state;
    if (state !== former) {
      if (!undrawn.has(event.type)) this.#draw();
      this.#changed.fire();
    }
    await Promise.all(effects.map((effect) => this.#carryOut(effect)));
  }

  async #carryOut(effect: SessionEffect): Promise<void> {
    if (this.#isDisposed) return;
    if (effect.type === 'run') return this.#runFiles(effect.mode, effect.files);
    if (effect.type === 'describe') return this.#describe(effect.isTyping);
    for (const id of effect.files) if (!this.#isDisposed) await this.#read(id);
  }

  async #runFiles(mode: Mode, files: readonly number[]): Promise<void> {
    const { effects, engine, onProblem } = this.#parts;
    const run = new SessionRun(
      {
        state: () => this.#state,
        dispatch: (event) => void this.#dispatch(event),
        effects,
        engine,
        read: (id) => this.#read(id),
        settled: (id) => this.#settled(id),
        onProgress: (progress, isUrgent) => {
          this.#state = reduce(this.#state, { type: 'progressed', progress }).state;
          if (isUrgent) this.#reporter.now();
          else this.#reporter.changed();
        },
        onProblem,
      },
      mode,
      files,
    );
    const isReady = await run.begin().catch((error) => {
      void this.#dispatch({ type: 'declined' });
      throw error;
    });
    if (!isReady || this.#isDisposed) return this.#dispatch({ type: 'declined' });
    this.#run = run;
    const resumable = await run.run().finally(() => {
      this.#run = undefined;
    });
    if (mode === 'ingest') await effects.ended(run.dataset, resumable);
  }

  async #listDatasets(): Promise<void> {
    const datasets = await this.#parts.effects.datasets().catch(() => undefined);
    await this.#dispatch({ type: 'listed', datasets });
  }

  async #describe(isTyping: boolean): Promise<void> {
    clearTimeout(this.#typing);
    if (isTyping) {
      this.#typing = setTimeout(() => void this.#describe(false), TYPING_MS);
      return;
    }
    const dataset = datasetOf(this.#state).trim();
    const isKnown = this.#state.datasets?.includes(dataset) === true;
    const schema = isKnown
      ? await this.#parts.effects.targetSchema(dataset).catch(() => undefined)
      : undefined;
    if (!this.#isDisposed) void this.#dispatch({ type: 'described', dataset, schema });
  }

  /** Reads a file's preview, and cancels an earlier read with outdated choices. */
  #read(file: number): Promise<void> {
    this.#readings.get(file)?.controller.abort();
    const controller = new AbortController();
    void this.#dispatch({ type: 'reading', file });
    const done = this.#readPreview(file, controller.signal);
    this.#readings.set(file, { controller, done });
    return done;
  }

  async #readPreview(id: number, signal: AbortSignal): Promise<void> {
    const { target, files } = this.#state;
    const file = files[id] as FileState;
    const schema = target?.dataset === datasetOf(this.#state).trim() ? target.schema : undefined;
    try {
      const source = await reopened(file);
      if (signal.aborted) return;
      void this.#dispatch({ type: 'reopened', file: id, source });
      const preview = await this.#parts.engine.preview(source, file.choices, schema, signal);
      if (!signal.aborted) void this.#dispatch({ type: 'previewed', file: id, preview });
    } catch (error) {
      if (signal.aborted) return;
      void this.#dispatch({ type: 'unreadable', file: id, problem: fileProblemOf(error) });
    }
  }

  async #settled(id: number): Promise<void> {
    for (let done: Promise<void> | undefined; done !== this.#readings.get(id)?.done; ) {
      done = this.#readings.get(id)?.done;
      await done;
    }
  }

  get #report(): ReportView | undefined {
    return reportViewOf(this.#state, (report) => this.#parts.effects.actionsFor(report));
  }

  #draw(): void {
    const drawn = this.#drawn;
    this.#drawn = this.#state;
    const { phase, shown, files } = this.#state;
    this.#sendScreen();
    if (files[shown] !== drawn.files[drawn.shown]) this.#sendFile();
    if (phase === 'report' && drawn.phase !== phase) this.#sendReport();
  }

  #sendAll(): void {
    this.#sendScreen();
    this.#sendFile();
    if (this.#state.progress) this.#sendProgress();
    this.#sendReport();
  }

  #sendScreen(): void {
    const screen = screenOf(this.#state, this.#parts);
    const kept = keptPageOf(this.#state, this.#parts.deployment);
    this.#pages.send('screen', screen);
    this.#pages.send('keep', kept);
  }

  #sendFile(): void {
    const file = this.files[this.#state.shown];
    if (file === undefined || this.#pages.isEmpty) return;
    this.#pages.send('file', fileViewOf(file, this.#parts.effects.currentRange()));
  }

  #sendReport(): void {
    const report = this.#report;
    if (report) this.#pages.send('report', report);
  }

  #sendProgress(): void {
    const { progress } = this.#state;
    if (progress === undefined) return;
    this.#pages.send('progress', progress);
    this.#changed.fire();
  }
}

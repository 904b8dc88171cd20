// Checks or sends a session's files, small ones concurrently, and dispatches their reports as events.
import type { RunProgress } from '../../../../ingest/src/contract.ts';
import type { ReadSettings } from '../../../../ingest/src/settings.ts';
import { sum } from '../amounts.ts';
import type { SessionEffects } from './effects.ts';
import type { FinishedReport, IngestEngine, RunJob, Sender } from './engine.ts';
import { FileRuns } from './fileRuns.ts';
import type { Mode, ProgressView } from './pageFacts.ts';
import { reopened } from './reading.ts';
import {
  datasetOf,
  type FileState,
  isUnread,
  type RunState,
  resumeOf,
  type SessionEvent,
  type SessionState,
  settingsOf,
} from './sessionState.ts';

const unreadable = 'The file cannot be read.';

interface RunHost {
  readonly state: () => SessionState;
  readonly dispatch: (event: SessionEvent) => void;
  readonly effects: SessionEffects;
  readonly engine: IngestEngine;
  /** Reads a file's preview again. */
  readonly read: (file: number) => Promise<void>;
  /** Settles once the file's preview is no longer being read. */
  readonly settled: (file: number) => Promise<void>;
  readonly onProgress: (progress: ProgressView, isUrgent: boolean) => void;
  readonly onProblem: (problem: string) => void;
}

/** Returns the time span in which a report's events were sent, including earlier parts of a resumed run. */
export function sentAt({ from, to }: Pick<RunState, 'from' | 'to'>, report: FinishedReport) {
  const { startedAt } = report;
  return { from: startedAt === undefined ? from : Math.min(from, Date.parse(startedAt)), to };
}

export class SessionRun {
  readonly dataset: string;
  readonly #host: RunHost;
  readonly #mode: Mode;
  readonly #ids: readonly number[];
  readonly runs: FileRuns;
  #sender: Sender | undefined;

  constructor(host: RunHost, mode: Mode, ids: readonly number[]) {
    this.#host = host;
    this.#mode = mode;
    this.#ids = ids;
    this.dataset = datasetOf(host.state()).trim();
    this.runs = new FileRuns(() => this.#files, host.onProgress);
  }

  get #files(): readonly FileState[] {
    const { files } = this.#host.state();
    return this.#ids.flatMap((id) => files[id] ?? []);
  }

  /** Connects. Returns false if the user or the service declines. */
  async begin(): Promise<boolean> {
    if (this.#mode === 'ingest') this.#sender = await this.#connect();
    return this.#mode === 'check' || this.#sender !== undefined;
  }

  async run(): Promise<readonly string[]> {
    const now = Date.now();
    const { dispatch } = this.#host;
    const run = { mode: this.#mode, dataset: this.dataset, files: this.#ids, from: now, to: now };
    dispatch({ type: 'started', run });
    try {
      await this.runs.each((file) => this.#runFile(file.id));
      if (this.#sender !== undefined) await this.#addSpans(run);
    } finally {
      await this.#sender?.end();
      dispatch({ type: 'ended', at: Date.now() });
    }
    return this.#files.flatMap(({ report }) => report?.resumable ?? []);
  }

  async #connect(): Promise<Sender | undefined> {
    const files = this.#files;
    const { dataset } = this;
    return this.#host.effects.connect({
      dataset,
      files: files.length,
      bytes: sum(files, ({ source }) => source.size),
      isNew: this.#host.state().datasets?.includes(dataset) === false,
      fresh: files.flatMap((file) =>
        resumeOf(file, dataset) === undefined ? (file.source.path ?? []) : [],
      ),
    });
  }

  #file(id: number): FileState {
    return this.#host.state().files[id] as FileState;
  }

  async #runFile(id: number): Promise<void> {
    const { dispatch, onProblem, engine } = this.#host;
    const sender = this.#sender;
    const resume = sender && resumeOf(this.#file(id), this.dataset);
    try {
      const settings = await (resume === undefined ? this.#freshSettings(id) : this.#earlier(id));
      if (this.runs.isCancelled) return;
      if (settings === undefined) {
        const problem = this.#file(id).problem?.message ?? unreadable;
        return dispatch({ type: 'failed', file: id, problem });
      }
      const job: RunJob = {
        source: this.#file(id).source,
        settings,
        dataset: this.dataset,
        ...(resume !== undefined && { resume }),
        onProgress: (progress: RunProgress) => this.runs.progressed(id, progress),
      };
      const report = await this.runs.report(sender?.run(job) ?? engine.check(job));
      dispatch({ type: 'ran', file: id, report, ...(sender && { settings }) });
    } catch (error) {
      const problem = error as Error;
      onProblem(problem.stack ?? problem.message);
      dispatch({ type: 'failed', file: id, problem: problem.message });
    }
  }

  async #earlier(id: number): Promise<ReadSettings | undefined> {
    const file = this.#file(id);
    this.#host.dispatch({ type: 'reopened', file: id, source: await reopened(file) });
    return file.ranWith ?? file.saved?.settings ?? settingsOf(file);
  }

  /** Returns the file's current settings. If the file has changed since its preview, it is previewed again. */
  async #freshSettings(id: number): Promise<ReadSettings | undefined> {
    const { settled, read, dispatch } = this.#host;
    await settled(id);
    const { size, modified } = this.#file(id).source;
    const source = await reopened(this.#file(id));
    dispatch({ type: 'reopened', file: id, source });
    const hasChanged = source.size !== size || source.modified !== modified;
    if (hasChanged || isUnread(this.#file(id))) void read(id);
    await settled(id);
    return settingsOf(this.#file(id));
  }

  /** Adds the time span of all files to reports without a span, because only the service has parsed their times. */
  async #addSpans(run: RunState): Promise<void> {
    const sent = this.#files.filter(({ report }) => report && report.stored > 0);
    const unknown = sent.filter(
      ({ report, ranWith }) => report?.firstTime === undefined && ranWith?.time,
    );
    if (unknown.length === 0) return;
    const starts = sent.flatMap(({ report }) => (report ? sentAt(run, report).from : []));
    const span = await this.#host.effects
      .arrivedSpan({ dataset: this.dataset, from: Math.min(...starts), to: Date.now() })
      .catch(() => undefined);
    if (span === undefined) return;
    this.#host.dispatch({ type: 'spanned', files: unknown.map(({ id }) => id), span });
  }
}

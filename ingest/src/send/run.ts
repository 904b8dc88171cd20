// Sends a file's batches, several at a time, and accounts for every event: stored, failed with a reason, in doubt, or
// not sent. Events that may have been stored are never sent again.
import { grouped } from '../../../formats/src/counts.ts';
import {
  type Batch,
  type BatchReader,
  FileProblem,
  type RunProgress,
  type RunReport,
  type SendResult,
  type Sink,
} from '../contract.ts';
import { appendedBytes } from '../read/sources.ts';
import { backoff, retryLimits as defaultRetryLimits, type RetryLimits } from './backoff.ts';
import { compressed, type SendEncoding } from './compress.ts';
import { type BrokenEventAt, Divider } from './divide.ts';
import { FailedFile } from './failedFile.ts';
import { Gate } from './gate.ts';
import { type Journal, JournalProblem } from './journal.ts';
import { failedEvent, matchFailures } from './matchFailures.ts';
import { type Part, partOf } from './part.ts';
import { RateMeter, Reporter } from './progress.ts';
import { fullRange, halves, indexesOf, type Ranges, sizeOf } from './ranges.ts';
import type { RunHeader } from './records.ts';
import { countReasons, RunLog, type Settlement, unsentPart } from './runLog.ts';
import { deleteRun } from './savedRuns.ts';

export interface RunOptions {
  readonly header: RunHeader;
  readonly reader: BatchReader;
  readonly sink: Sink;
  /** The journal. Absent: the run can't be resumed. */
  readonly journal?: Journal | undefined;
  /** Maximum number of concurrent requests. By default, it depends on the encoding. */
  readonly maxInFlight?: number;
  readonly retryLimits?: Partial<RetryLimits>;
  readonly onProgress?: (progress: RunProgress) => void;
}

/**
 * Maximum number of concurrent requests, by their encoding. Uncompressed requests are for a deployment on this machine,
 * which stores those that arrive together in one transaction.
 */
const IN_FLIGHT_MAX: Readonly<Record<SendEncoding, number>> = { identity: 32, gzip: 3, zstd: 3 };
/** Events refused individually, while none was ever stored, after which the run ends. */
const SINGLES_MAX = 3;

/**
 * The cause of a refusal, by status: the request's content or size, or a missing dataset. Any other status concerns the
 * run and ends it.
 */
const refusalCauses: Readonly<Record<number, 'content' | 'size' | 'dataset'>> = {
  400: 'content',
  404: 'dataset',
  413: 'size',
  422: 'content',
};

type Refused = Extract<SendResult, { kind: 'refused' }>;
type Answered = Extract<SendResult, { kind: 'answered' }>;

interface Problem {
  readonly message: string;
  readonly advice?: unknown;
}

/** A batch whose parts are being sent. */
interface Work {
  readonly batch: Batch;
  readonly divider: Divider;
  /** The parts to send, in order. */
  readonly queue: Ranges[];
  /** Events refused individually. */
  readonly refused: { readonly index: number; readonly message: string }[];
}

export class IngestRun {
  readonly #header: RunHeader;
  readonly #reader: BatchReader;
  readonly #sink: Sink;
  readonly #journal: Journal | undefined;
  readonly #failedFile: FailedFile | undefined;
  readonly #log: RunLog;
  readonly #gate: Gate;
  readonly #retryLimits: RetryLimits;
  readonly #abort = new AbortController();
  readonly #meter = new RateMeter();
  readonly #reporter: Reporter;
  /** Ends the wait for the next batch. */
  #stopReading: () => void = () => {};
  #graceTimer: NodeJS.Timeout | undefined;
  readonly #workers: Promise<void>[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #readingEnded = false;
  #hasReadAll = false;
  #isDone = false;
  #isCancelled = false;
  #problem: Problem | undefined;
  #creating: Promise<boolean> | undefined;
  #hasAnswered = false;
  #consecutiveDoubts = 0;
  #consecutiveRejections = 0;
  /** Size of the smallest request that was too large. */
  #tooLarge = Number.POSITIVE_INFINITY;

  constructor(options: RunOptions) {
    const { header, reader, sink, journal, onProgress } = options;
    const { maxInFlight = IN_FLIGHT_MAX[header.encoding] } = options;
    this.#header = header;
    this.#reader = reader;
    this.#sink = sink;
    this.#journal = journal;
    this.#retryLimits = { ...defaultRetryLimits, ...options.retryLimits };
    this.#failedFile =
      header.failedFile === undefined
        ? undefined
        : new FailedFile(header.failedFile, journal?.state.failedFile ?? { bytes: 0 }, () =>
            reader.fileHead(),
          );
    this.#log = new RunLog(journal, this.#failedFile);
    this.#reporter = new Reporter(() => onProgress?.(this.progress));
    this.#gate = new Gate(maxInFlight, () => this.#reporter.now());
  }

  get header(): RunHeader {
    return this.#header;
  }

  get progress(): RunProgress {
    const { fileBytes, stored, failed, doubtful } = this.#log.state;
    const totalBytes = this.#header.file.size;
    return {
      ...(this.#isDone ? { state: 'done' } : this.#gate.state),
      bytes: fileBytes,
      totalBytes,
      events: stored + failed + doubtful,
      ...this.#meter.rate(totalBytes - fileBytes),
    };
  }

  /** Pauses the run. Pending requests are still answered. */
  pause(): void {
    this.#gate.pause();
  }

  resume(): void {
    this.#meter.reset();
    this.#gate.resume();
  }

  /**
   * Ends the run. Pending requests get a few seconds to be answered, and more if they are many, because their events
   * would otherwise be in doubt.
   */
  cancel(): void {
    if (this.#isCancelled || this.#isDone) return;
    this.#isCancelled = true;
    this.#close();
    const grace = this.#retryLimits.cancelGraceMs * Math.max(this.#gate.limit, 3);
    this.#graceTimer = setTimeout(() => this.#abort.abort(), grace);
  }

  /** Sends the file, or its remainder. Never rejects. Must be called only once. */
  async run(): Promise<RunReport> {
    this.#sample();
    this.#reporter.now();
    const iterator = this.#reader.batches(this.#log.state.position)[Symbol.asyncIterator]();
    this.#addWorkers(iterator);
    // Running workers add others.
    for (const worker of this.#workers) await worker;
    // Doesn't wait for the iterator, which may be waiting for the disk.
    void iterator.return?.().then(undefined, () => {});
    return this.#finish();
  }

  /** Keeps one worker more than allowed requests, so that the next body is compressed before it may be sent. */
  #addWorkers(iterator: AsyncIterator<Batch>): void {
    while (this.#workers.length <= this.#gate.limit) this.#workers.push(this.#work(iterator));
  }

  async #work(iterator: AsyncIterator<Batch>): Promise<void> {
    try {
      for (;;) {
        const work = await this.#nextWork(iterator);
        if (!work) return;
        await this.#sendAll(work);
        this.#addWorkers(iterator);
      }
    } catch (error) {
      this.#fail(error);
      this.#close();
    }
  }

  /** Returns the next batch with undecided events. Only one caller reads at a time. */
  #nextWork(iterator: AsyncIterator<Batch>): Promise<Work | undefined> {
    const next = this.#turn.then(async () => {
      for (;;) {
        const batch = await this.#nextBatch(iterator);
        if (!batch) return undefined;
        const pending = await this.#pendingOf(batch);
        if (sizeOf(pending) === 0) continue;
        const divider = new Divider(this.#reader, batch);
        return { batch, divider, queue: [pending], refused: [] };
      }
    });
    this.#turn = next.catch(() => {});
    return next;
  }

  async #nextBatch(iterator: AsyncIterator<Batch>): Promise<Batch | undefined> {
    if (this.#readingEnded || this.#gate.isClosed) return undefined;
    try {
      const next = await new Promise<IteratorResult<Batch> | undefined>((resolve, reject) => {
        // A race with one promise for the entire run would retain every batch.
        this.#stopReading = () => resolve(undefined);
        iterator.next().then(resolve, reject);
      });
      if (next && !next.done) return next.value;
      this.#hasReadAll = next?.done === true;
    } catch (error) {
      // The batches ahead of the problem are still sent.
      this.#fail(error);
    }
    this.#readingEnded = true;
    return undefined;
  }

  async #pendingOf(batch: Batch): Promise<Ranges> {
    const { state } = this.#log;
    const known = state.open.get(batch.start.batch);
    if (known && (known.events !== batch.events || known.end.offset !== batch.end.offset)) {
      throw new Error('The file has changed since the run started.');
    }
    const pending = state.pending(batch.start.batch);
    if (pending) return pending;
    await this.#log.read(batch);
    return fullRange(batch.events);
  }

  async #sendAll(work: Work): Promise<void> {
    for (;;) {
      const ranges = work.queue.shift();
      if (!ranges) return this.#settleRefused(work);
      const part = await partOf(this.#reader, work.batch, ranges, work.divider.isParsed);
      if (this.#isTooLarge(part)) work.queue.unshift(...halves(ranges));
      else if (!(await this.#send(part, work))) return;
    }
  }

  /** Sends a part until its outcome is decided. Returns false if the run has ended. */
  async #send(part: Part, work: Work): Promise<boolean> {
    const request = await compressed(part.request, this.#header.encoding);
    if (request !== part.request) this.#recycle(part);
    for (let attempt = 1; ; attempt += 1) {
      if (!(await this.#gate.enter())) return false;
      let succeeded = false;
      try {
        // Another request may have shown this in the meantime.
        if (this.#isTooLarge(part)) {
          work.queue.unshift(...halves(part.ranges));
          return true;
        }
        const requestNumber = await this.#log.sending(part);
        const result = await this.#sink.send(request, this.#abort.signal);
        succeeded = result.kind === 'answered';
        const isDecided = await this.#take(result, { part, work, requestNumber, attempt });
        // The service has read the entire body once every event is accounted for.
        if (request === part.request && accountsForAll(result, request)) this.#recycle(part);
        this.#sample();
        this.#reporter.changed();
        if (isDecided) return !this.#gate.isClosed;
      } finally {
        this.#gate.leave(succeeded);
      }
    }
  }

  /** Returns a batch's memory to the reader once its body isn't needed anymore. */
  #recycle({ batch, request }: Part): void {
    if (request === batch) this.#reader.recycle?.(batch.body);
  }

  #isTooLarge({ request, ranges }: Part): boolean {
    return request.bytes >= this.#tooLarge && sizeOf(ranges) > 1;
  }

  /** Records a result. Returns false if the same request is to be sent again. */
  async #take(
    result: SendResult,
    sent: {
      readonly part: Part;
      readonly work: Work;
      readonly requestNumber: number;
      readonly attempt: number;
    },
  ): Promise<boolean> {
    const { part, work, requestNumber, attempt } = sent;
    switch (result.kind) {
      case 'answered':
        this.#hasAnswered = true;
        this.#consecutiveDoubts = 0;
        await this.#answered(result, part, work, requestNumber);
        return true;
      case 'doubt':
        await this.#log.settle(part, requestNumber, { doubt: part.request.events });
        this.#consecutiveDoubts += 1;
        if (this.#consecutiveDoubts >= this.#retryLimits.maxConsecutiveDoubts)
          this.#stop(result.message, result.advice);
        return true;
      case 'cancelled':
        if (result.sent)
          await this.#log.settle(part, requestNumber, { doubt: part.request.events });
        else await this.#log.returned(requestNumber);
        return true;
      case 'unsent':
        await this.#log.returned(requestNumber);
        this.#stop(result.message, result.advice);
        return true;
      case 'later':
        await this.#log.returned(requestNumber);
        return !this.#waitFor(result, attempt);
      case 'refused':
        await this.#log.returned(requestNumber);
        return this.#refused(result, part, work, attempt);
    }
  }

  async #answered(answer: Answered, part: Part, work: Work, requestNumber: number): Promise<void> {
    const settlement = await this.#settlementOf(answer, part, work);
    await this.#log.settle(part, requestNumber, settlement);
    const { stored = 0, failed = 0, reasons = [] } = settlement;
    if (stored > 0) this.#consecutiveRejections = 0;
    // The parts of a divided batch don't count, because they are sent to find refused events.
    else if (failed > 0 && failed === part.batch.events) this.#consecutiveRejections += 1;
    if (this.#consecutiveRejections < this.#retryLimits.maxConsecutiveRejections) return;
    const [reason] = reasons.toSorted(([, a], [, b]) => b - a)[0] ?? [];
    const why = reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`;
    const requests = this.#retryLimits.maxConsecutiveRejections;
    this.#stop(
      `The service did not store any event of ${requests} requests in a row${why}. The rest was not sent.`,
    );
  }

  /** Waits before a retry. Returns false if waiting isn't worthwhile and the run ends. */
  #waitFor(
    { afterMs, message, advice }: Omit<Extract<SendResult, { kind: 'later' }>, 'kind'>,
    attempt: number,
  ): boolean {
    const { maxAttempts, maxAttemptsAtStart, maxRetryAfterMs } = this.#retryLimits;
    const isLast = attempt >= (this.#hasAnswered ? maxAttempts : maxAttemptsAtStart);
    if (isLast || (afterMs !== undefined && afterMs > maxRetryAfterMs)) {
      this.#stop(message, advice);
      return false;
    }
    const jitter = Math.random() * Math.min(250, this.#retryLimits.initialDelayMs);
    this.#gate.waitFor(
      afterMs === undefined ? backoff(attempt, this.#retryLimits) : afterMs + jitter,
      message,
    );
    return true;
  }

  /** Handles a refused request. Returns false if the same request is to be sent again. */
  async #refused(result: Refused, part: Part, work: Work, attempt: number): Promise<boolean> {
    const { status, message, advice } = result;
    const events = sizeOf(part.ranges);
    switch (refusalCauses[status]) {
      case 'dataset':
        if (!this.#sink.create) break;
        if (!this.#creating && this.#log.state.stored > 0) {
          this.#stop(this.#deletedMessage(), advice);
          return true;
        }
        if (this.#creating) {
          if (!(await this.#creating)) return true;
          // A newly created dataset may not be known everywhere yet.
          return !this.#waitFor({ message, advice }, attempt);
        }
        return !(await this.#create());
      case 'size':
        this.#tooLarge = Math.min(this.#tooLarge, part.request.bytes);
        if (events > 1) work.queue.unshift(...halves(part.ranges));
        else work.refused.push({ index: indexesOf(part.ranges)[0] as number, message });
        return true;
      case 'content':
        await this.#divide(result, part, work);
        return true;
    }
    this.#stop(message, advice);
    return true;
  }

  /** The dataset isn't recreated, which would hide the loss of the stored events. */
  #deletedMessage(): string {
    const { dataset } = this.#header;
    const { stored } = this.#log.state;
    const count = grouped(stored);
    return `${dataset} was deleted after ${count} ${stored === 1 ? 'event was' : 'events were'} stored in it. Ingest the file as a new run.`;
  }

  async #create(): Promise<boolean> {
    this.#creating = (async () => {
      const result = await this.#sink.create?.(this.#abort.signal);
      if (result?.kind === 'created') await this.#log.dataset(true);
      // The reason it can't be created is more useful than its absence.
      else if (result) this.#stop(result.message, result.advice);
      return result?.kind === 'created';
    })();
    return this.#creating;
  }

  async #divide({ message, advice }: Refused, part: Part, work: Work): Promise<void> {
    const indexes = indexesOf(part.ranges);
    const isNew = this.#log.state.stored === 0;
    const isFirst = !work.divider.isParsed;
    const { parts, broken } = await work.divider.divide(part, message);
    if (broken.length > 0) {
      if (this.#header.settings.broken === 'stop') return this.#stopAt(broken[0] as BrokenEventAt);
      await this.#settleIndexes(
        work,
        broken.map(({ index, problem }) => ({ index, message: problem })),
        'reader',
      );
      work.queue.unshift(...parts);
      return;
    }
    if (isFirst) work.queue.unshift(...parts);
    else if (indexes.length === 1) work.refused.push({ index: indexes[0] as number, message });
    else if (parts.length > 0) work.queue.unshift(...parts);
    else if (!isNew) work.refused.push(...indexes.map((index) => ({ index, message })));
    else this.#stop(message, advice);
    if (isNew && work.refused.length >= SINGLES_MAX) this.#stop(message, advice);
  }

  #stopAt({ event, problem }: BrokenEventAt): void {
    this.#fail(new FileProblem(`Line ${grouped(event.line)}: ${problem}`, event.line));
    this.#close();
  }

  /** Settles individually refused events as failed, after all parts of the batch were sent. */
  async #settleRefused(work: Work): Promise<void> {
    if (work.refused.length > 0) await this.#settleIndexes(work, work.refused, 'service');
  }

  async #settleIndexes(
    { batch, divider }: Work,
    found: readonly { readonly index: number; readonly message: string }[],
    by: 'reader' | 'service',
  ): Promise<void> {
    const events = await divider.events();
    const ranges = found
      .map(({ index }) => [index, index + 1] as const)
      .sort((a, b) => a[0] - b[0]);
    const failedEvents = found
      .toSorted((a, b) => a.index - b.index)
      .flatMap(({ index, message }) => {
        const event = events[index];
        return event ? [{ event, message }] : [];
      });
    await this.#log.settle(unsentPart(batch, ranges), undefined, {
      [by === 'reader' ? 'skipped' : 'failed']: found.length,
      failures: failedEvents.map(({ event, message }) => failedEvent(event, message, by)),
      reasons: countReasons(found.map(({ message }) => message)),
      texts: failedEvents.map(({ event }) => event.text),
    });
  }

  async #settlementOf(answer: Answered, part: Part, { divider }: Work): Promise<Settlement> {
    const { messages, failures } = answer;
    const size = part.request.events;
    const failed = Math.min(answer.failed, size);
    const stored = Math.min(answer.ingested, size - failed);
    // The outcome of events the service doesn't report on is unknown.
    const counts = { stored, failed, doubt: size - stored - failed, messages };
    if (failed === 0) return counts;
    // The counts are known even if the file can't be read anymore.
    const events = await divider.events().catch(() => []);
    const sentEvents = indexesOf(part.ranges).flatMap((index) => events[index] ?? []);
    return { ...counts, ...matchFailures(sentEvents, part.request, failures, failed) };
  }

  #sample(): void {
    const { stored, failed, doubtful, fileBytes } = this.#log.state;
    this.#meter.add(stored + failed + doubtful, fileBytes);
  }

  #stop(message: string, advice?: unknown): void {
    this.#problem ??= { message, ...(advice !== undefined && { advice }) };
    this.#close();
  }

  /** Handles an exception from reading the file or recording the progress. */
  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const isOurs = error instanceof FileProblem || error instanceof JournalProblem;
    this.#problem ??= {
      message: isOurs ? message : `Cannot read ${this.#header.file.name}: ${message}`,
    };
  }

  #close(): void {
    this.#gate.close();
    this.#stopReading();
  }

  async #finish(): Promise<RunReport> {
    const { state } = this.#log;
    clearTimeout(this.#graceTimer);
    const isComplete = this.#hasReadAll && state.unsent === 0;
    const outcome = isComplete ? 'complete' : this.#isCancelled ? 'cancelled' : 'stopped';
    if (state.createdDataset && state.stored === 0 && state.doubtful === 0) {
      await this.#sink.deleteIfEmpty?.();
      await this.#log.dataset(false).catch(() => {});
    }
    this.#isDone = true;
    this.#close();
    await this.#log.close();
    // A run that decided nothing or everything can't be resumed.
    const canResume =
      outcome !== 'complete' &&
      state.stored + state.failed + state.doubtful > 0 &&
      !state.isComplete(this.#header.file.size);
    if (this.#journal && !canResume) await deleteRun(this.#journal.path);
    this.#reporter.now();
    const { report } = state;
    const appended = isComplete ? await appendedBytes(this.#header.file) : 0;
    return {
      file: this.#header.file.name,
      dataset: this.#header.dataset,
      startedAt: this.#header.startedAt,
      outcome,
      ...(!isComplete && this.#problem && problemOf(this.#problem)),
      ...report,
      durationMs: Math.round(this.#log.durationMs),
      ...(this.#failedFile &&
        this.#failedFile.state.bytes > 0 && { failedFile: this.#failedFile.path }),
      ...(appended > 0 && { appendedBytes: appended }),
      ...(this.#journal && canResume && { resumeLine: state.firstUnsentLine }),
    };
  }
}

function accountsForAll(result: SendResult, { events }: Batch): boolean {
  return result.kind === 'answered' && result.ingested + result.failed >= events;
}

function problemOf({ message, advice }: Problem): Pick<RunReport, 'problem' | 'advice'> {
  return { problem: message, ...(advice !== undefined && { advice }) };
}

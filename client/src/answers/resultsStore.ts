/**
 * A window's answers: their metadata, their arrangement and access to their rows, which are in a worker thread. If the
 * rows exceed the memory limit, the least recently shown unpinned answers are evicted. Does not depend on vscode.
 */
import { randomUUID } from 'node:crypto';
import type { AnswerAbout, AnswerArrival } from '../../../table/src/answer.ts';
import { type AnswerViewState, initialViewState } from '../../../table/src/viewState.ts';
import { Emitter } from '../host/emitter.ts';
import { ArrivingAnswer } from './arrivingAnswer.ts';
import { FirstRows } from './firstRows.ts';
import type { HeldAnswer, StoreEvent } from './heldAnswer.ts';
import type {
  AnswerId,
  Compared,
  Decoded,
  Follow,
  MethodName,
  Params,
  Result,
  TablePlace,
} from './protocol.ts';
import { StoreError } from './storeError.ts';
import { type CallOptions, WorkerClient } from './workerClient.ts';

export interface StoreOptions {
  readonly worker: string | URL;
  /** The maximum memory for the rows of all answers, in bytes. */
  readonly maxBytes: number;
  /** The folder for answers on disk and its maximum size. Absent if answers aren't stored on disk. */
  readonly disk?: { readonly folder: string; readonly maxBytes: number } | undefined;
}

/** Methods on one answer's rows. They fail with `gone` while the rows are not in memory. */
export type RowMethod =
  | { [Name in MethodName]: Params<Name> extends TablePlace ? Name : never }[MethodName]
  | 'valuesToOffer';

interface BeginEvents {
  readonly onFirstRows?: (() => void) | undefined;
  readonly onAppended?: (decoded: Decoded) => void;
}

/** Methods that read rows one by one, and so don't need all rows of an arriving answer. */
const firstRowMethods: ReadonlySet<RowMethod> = new Set<RowMethod>([
  'window',
  'sizes',
  'cell',
  'row',
  'foundIn',
]);

/** The delay from the last change of a view state until it is written to disk. */
const writeDelayMilliseconds = 1_000;

export class ResultsStore {
  #options: StoreOptions;
  readonly #worker: WorkerClient;
  /** Ordered by when they were last shown, most recent last. */
  readonly #answers = new Map<AnswerId, HeldAnswer>();
  readonly #events = new Emitter<StoreEvent>();
  /** Fires after each change of an answer. */
  readonly onDidChange = this.#events.event;
  readonly #unwritten = new Map<AnswerId, NodeJS.Timeout>();
  /** The number of an answer's later pages on disk. Undefined once a page is missing, so that no more are stored. */
  readonly #pages = new Map<AnswerId, number | undefined>();
  readonly #restoring = new Map<AnswerId, Promise<HeldAnswer>>();

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#worker = new WorkerClient(options.worker, (message) => this.#crashed(message));
  }

  /** Changes the limits after a settings change. Answers beyond them are evicted when the next answer arrives. */
  configure(bounds: Pick<StoreOptions, 'maxBytes' | 'disk'>): void {
    this.#options = { worker: this.#options.worker, ...bounds };
  }

  /**
   * Begins an answer whose body is about to arrive. With `keep`, the answer is also stored on disk. With `onFirstRows`,
   * its first rows can be read while the rest arrives, if they arrive row by row.
   */
  begin(about: AnswerAbout, keep: boolean, onFirstRows?: () => void): ArrivingAnswer {
    const { disk } = this.#options;
    return this.#begin(about, keep && disk ? { keep: { ...disk, about } } : {}, { onFirstRows });
  }

  /** Begins a body whose rows are appended to a table. It is stored on disk if all earlier pages are. */
  append(place: TablePlace): ArrivingAnswer {
    const { disk } = this.#options;
    const target = this.#answers.get(place.answer);
    const pages = this.#pages.has(place.answer) ? this.#pages.get(place.answer) : 0;
    const file = target?.kept;
    const pageOf =
      file === undefined || pages === undefined ? undefined : { file, number: pages + 1 };
    const keep = target && disk && pageOf && { ...disk, about: target.about, pageOf };
    return this.#begin(place, keep ? { keep } : {}, {
      onAppended: ({ kept }) =>
        this.#pages.set(place.answer, kept === undefined ? undefined : pageOf?.number),
    });
  }

  /** Begins a body of a followed query. Its new events are appended to a table or become a new answer. */
  follow(to: TablePlace | AnswerAbout, follow: Follow): ArrivingAnswer {
    return this.#begin(to, { follow });
  }

  #begin(
    to: TablePlace | AnswerAbout,
    options: Pick<Params<'begin'>, 'keep' | 'follow'>,
    { onFirstRows, onAppended }: BeginEvents = {},
  ): ArrivingAnswer {
    const id = randomUUID();
    const worker = this.#worker;
    const { maxBytes } = this.#options;
    const appendTo = 'answer' in to ? { appendTo: to } : {};
    const begun = worker.call('begin', { answer: id, maxBytes, ...appendTo, ...options });
    const settle = (decoded: Decoded, arrival: AnswerArrival): HeldAnswer => {
      if (!('answer' in to)) return this.#add(this.#newAnswer(id, to, arrival, decoded));
      onAppended?.(decoded);
      const { head, bytes, followed } = decoded;
      return this.#grown(to.answer, { head, bytes, ...(followed && { followed }) });
    };
    const first =
      'answer' in to || onFirstRows === undefined
        ? undefined
        : this.#firstRows(id, to, onFirstRows);
    return new ArrivingAnswer(id, { worker, begun, settle, first });
  }

  #firstRows(id: AnswerId, about: AnswerAbout, onShown: () => void): FirstRows {
    return new FirstRows({
      read: () => this.#worker.call('firstRows', { answer: id }),
      show: (first) => {
        const complete = this.#newAnswer(id, about, { roundTripMilliseconds: 0 }, first);
        const answer = { ...complete, state: 'arriving' } as const;
        this.#answers.set(id, answer);
        this.#events.fire({ type: 'arriving', answer });
        onShown();
      },
      grow: (rowCount) => this.#arrived(id, rowCount),
      remove: () => void this.drop(id),
    });
  }

  /** Records that more rows of an arriving answer can be read. */
  #arrived(id: AnswerId, rowCount: number): void {
    const held = this.#answers.get(id);
    const [table] = held?.head.tables ?? [];
    if (held?.state !== 'arriving' || table === undefined) return;
    const answer = { ...held, head: { ...held.head, tables: [{ ...table, rowCount }] } };
    this.#answers.set(id, answer);
    this.#events.fire({ type: 'arriving', answer });
  }

  /** Records that an answer has grown, which may evict other answers. */
  #grown(id: AnswerId, change: Partial<HeldAnswer>): HeldAnswer {
    const changed = this.#change(id, change);
    if (changed === undefined) throw gone();
    this.#evict(id);
    return changed;
  }

  #newAnswer(
    id: AnswerId,
    about: AnswerAbout,
    arrival: AnswerArrival,
    { notKept: _, ...decoded }: Decoded,
  ): HeldAnswer {
    // The user may have changed the arrangement of the first rows.
    const viewState = this.#answers.get(id)?.viewState ?? initialViewState;
    return { id, about, arrival, ...decoded, viewState, pinned: false, state: 'ready' };
  }

  #add(answer: HeldAnswer): HeldAnswer {
    const isChanged = this.#answers.has(answer.id);
    this.#answers.set(answer.id, answer);
    this.#events.fire({ type: 'added', answer });
    if (isChanged) this.#writeLater(answer.id);
    this.#evict(answer.id);
    return answer;
  }

  /** All answers, least recently shown first. */
  get answers(): readonly HeldAnswer[] {
    return [...this.#answers.values()];
  }

  get(id: AnswerId): HeldAnswer | undefined {
    return this.#answers.get(id);
  }

  /** Marks an answer as the most recently shown one, so that it is evicted last. */
  shown(id: AnswerId): void {
    const answer = this.#answers.get(id);
    if (answer === undefined) return;
    this.#answers.delete(id);
    this.#answers.set(id, answer);
  }

  setViewState(id: AnswerId, viewState: AnswerViewState): void {
    this.#change(id, { viewState });
    this.#writeLater(id);
  }

  pin(id: AnswerId, pinned: boolean): void {
    this.#change(id, { pinned });
    this.#writeLater(id);
  }

  /** Removes an answer from memory. Its files on disk remain. */
  async drop(id: AnswerId): Promise<void> {
    const answer = this.#answers.get(id);
    if (answer === undefined) return;
    this.#answers.delete(id);
    clearTimeout(this.#unwritten.get(id));
    this.#unwritten.delete(id);
    this.#pages.delete(id);
    this.#events.fire({ type: 'removed', id });
    if (answer.state === 'ready') await this.#worker.call('drop', { answer: id });
  }

  /**
   * Calls a method on an answer's rows. Methods that need all rows wait until the answer has arrived. Fails with a
   * `StoreError`: `gone` if the rows are not in memory, `cancelled` if the signal was aborted.
   */
  async rows<Name extends RowMethod>(
    method: Name,
    params: Params<Name>,
    options?: CallOptions,
  ): Promise<Result<Name>> {
    const { answer } = params;
    if (!firstRowMethods.has(method)) await this.#whenArrived(answer, options?.signal);
    const state = this.#answers.get(answer)?.state;
    if (state !== 'ready' && state !== 'arriving') throw gone();
    return await this.#worker.call(method, params, options);
  }

  /** Resolves when an answer is complete or was removed, or when the signal is aborted. */
  async #whenArrived(id: AnswerId, signal: AbortSignal | undefined): Promise<void> {
    while (this.#answers.get(id)?.state === 'arriving' && !signal?.aborted)
      await new Promise<void>((resolve) => {
        const wake = () => {
          listening.dispose();
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const listening = this.onDidChange(wake);
        signal?.addEventListener('abort', wake);
      });
  }

  async compare(
    before: TablePlace,
    after: TablePlace,
    keys: readonly string[],
    about: AnswerAbout,
    options?: CallOptions,
  ): Promise<{ answer: HeldAnswer } & Omit<Compared, 'head' | 'bytes'>> {
    const into = randomUUID();
    const { head, bytes, ...counts } = await this.#worker.call(
      'compare',
      { before, after, keys, into },
      options,
    );
    const arrival = { roundTripMilliseconds: 0 };
    return { answer: this.#add(this.#newAnswer(into, about, arrival, { head, bytes })), ...counts };
  }

  #evict(newest: AnswerId): void {
    let bytes = 0;
    // Answers whose rows aren't in memory count as 0 bytes.
    for (const answer of this.#answers.values()) bytes += answer.bytes;
    for (const answer of this.answers) {
      if (bytes <= this.#options.maxBytes) return;
      if (answer.id === newest || answer.pinned || answer.state !== 'ready') continue;
      bytes -= answer.bytes;
      this.#change(answer.id, { state: 'evicted', bytes: 0 });
      this.#worker.call('drop', { answer: answer.id }).catch(() => {});
    }
  }

  /** Decodes a stored answer into a new answer, or restores the answer if this window already has it. */
  async restoreKept(file: string): Promise<HeldAnswer> {
    const known = this.answers.find(({ kept }) => kept === file);
    if (known !== undefined) return await this.restore(known.id);
    const id = randomUUID();
    return await this.#restored(id, file, ({ head, bytes, kept, header }) => {
      const { about, arrival, pinned, viewState } = header;
      const answer = this.#newAnswer(id, about, arrival, { head, bytes, kept });
      return this.#add({ ...answer, viewState, pinned });
    });
  }

  /** Loads an evicted or lost answer's rows from disk. Fails with `gone` if they aren't on disk. */
  async restore(id: AnswerId): Promise<HeldAnswer> {
    const answer = this.#answers.get(id);
    if (answer?.state === 'ready') return answer;
    if (answer?.kept === undefined) throw gone();
    return await this.#restored(id, answer.kept, ({ head, bytes }) =>
      this.#grown(id, { head, bytes, state: 'ready' }),
    );
  }

  #restored(
    id: AnswerId,
    file: string,
    settle: (restored: Result<'restore'>) => HeldAnswer,
  ): Promise<HeldAnswer> {
    const running = this.#restoring.get(id);
    if (running !== undefined) return running;
    const { disk, maxBytes } = this.#options;
    if (disk === undefined) return Promise.reject(gone());
    const restoring = this.#worker
      .call('restore', { answer: id, maxBytes, folder: disk.folder, file })
      .then((restored) => {
        this.#pages.set(id, restored.pages);
        return settle(restored);
      })
      .finally(() => this.#restoring.delete(id));
    this.#restoring.set(id, restoring);
    return restoring;
  }

  /** Erases answers from disk. Their copies in memory remain. */
  async eraseKept(files: readonly string[] | 'all'): Promise<void> {
    const { disk } = this.#options;
    if (disk === undefined) return;
    await this.#worker.call('eraseKept', { folder: disk.folder, files });
    for (const answer of this.answers) {
      if (answer.kept === undefined || (files !== 'all' && !files.includes(answer.kept))) continue;
      const { kept: _kept, ...rest } = answer;
      this.#answers.set(answer.id, rest);
      this.#events.fire({ type: 'changed', answer: rest });
    }
    this.#events.fire({ type: 'erased', files });
  }

  #writeLater(id: AnswerId): void {
    if (this.#answers.get(id)?.kept === undefined) return;
    clearTimeout(this.#unwritten.get(id));
    const timer = setTimeout(() => void this.#write(id), writeDelayMilliseconds);
    this.#unwritten.set(id, timer);
  }

  /** Writes the pin and the view state to disk. Ignores failures, because the answer itself is already stored. */
  async #write(id: AnswerId): Promise<void> {
    this.#unwritten.delete(id);
    const { disk } = this.#options;
    const answer = this.#answers.get(id);
    if (disk === undefined || answer?.kept === undefined) return;
    const { kept: file, pinned, viewState } = answer;
    await this.#worker
      .call('updateKept', { folder: disk.folder, file, pinned, viewState })
      .catch(() => {});
  }

  /** Writes all pending changes immediately. */
  async flush(): Promise<void> {
    const waiting = [...this.#unwritten];
    for (const [, timer] of waiting) clearTimeout(timer);
    await Promise.all(waiting.map(([id]) => this.#write(id)));
  }

  /** Writes pending changes and ends the worker. */
  async dispose(): Promise<void> {
    await this.flush();
    this.#events.dispose();
    await this.#worker.dispose();
  }

  #change(id: AnswerId, change: Partial<HeldAnswer>): HeldAnswer | undefined {
    const answer = this.#answers.get(id);
    if (answer === undefined) return undefined;
    const changed = { ...answer, ...change };
    this.#answers.set(id, changed);
    this.#events.fire({ type: 'changed', answer: changed });
    return changed;
  }

  #crashed(message: string): void {
    for (const { id, state } of this.answers)
      if (state === 'ready') this.#change(id, { state: 'lost', bytes: 0 });
      else if (state === 'arriving') void this.drop(id);
    this.#events.fire({ type: 'crashed', message });
  }
}

function gone(): StoreError {
  return new StoreError({ code: 'gone', message: 'The result is no longer in memory.' });
}

/** Decodes an arriving body chunk by chunk, in order, and writes it to disk if the answer is to be stored. */
import type { AnswerArrival, AnswerHead } from '../../../../table/src/answer.ts';
import { TooLarge } from '../../../../table/src/columns/byteHeap.ts';
import type { Column } from '../../../../table/src/columns/column.ts';
import { HeldTable } from '../../../../table/src/columns/heldTable.ts';
import { BodyDecoder } from '../../../../table/src/decode/bodyDecoder.ts';
import { MalformedBody } from '../../../../table/src/decode/malformed.ts';
import type { LongTask } from '../../../../table/src/rowSource.ts';
import { answerHead } from '../answerHead.ts';
import { BodyWriter } from '../disk/keptFiles.ts';
import { newHeader } from '../disk/keptHeader.ts';
import { trimLater } from '../disk/trimLater.ts';
import type { Decoded, Params } from '../protocol.ts';

/** The number of bytes decoded between two checks of the clock. */
const sliceBytes = 128 * 1024;
/** The number of body bytes between two checks of memory use. */
const memoryCheckBytes = 8 * 1024 * 1024;

export interface Arrived extends Pick<Decoded, 'head' | 'kept' | 'notKept'> {
  readonly tables: HeldTable[];
}

export class Arrival {
  readonly options: Omit<Params<'begin'>, 'answer'>;
  readonly #decoder = new BodyDecoder();
  #writer: BodyWriter | undefined;
  #notKept: string | undefined;
  #bodyBytes = 0;
  #nextCheck = memoryCheckBytes;
  /** Decodes the chunks one after another, because calls may overlap. */
  #queue: Promise<unknown> = Promise.resolve();
  /** Writes the chunks one after another. Decoding doesn't wait for it, because each write waits for another thread. */
  #writing: Promise<void> = Promise.resolve();
  /** The rows so far, which are read while the rest arrives. */
  #first: HeldTable | undefined;

  constructor(options: Omit<Params<'begin'>, 'answer'>) {
    this.options = options;
  }

  /**
   * Resolves when the bytes are decoded and written, and may be overwritten. Returns the number of complete rows so far
   * if they arrive row by row, or 0.
   */
  async chunk(bytes: Uint8Array, task: LongTask): Promise<number> {
    const rows = await this.#next(async () => {
      for (let at = 0; at < bytes.length; at += sliceBytes) {
        this.#decoder.push(bytes.subarray(at, at + sliceBytes));
        if (task.due) await task.pause(0, 0);
      }
      this.#bodyBytes += bytes.length;
      if (this.#bodyBytes >= this.#nextCheck) this.#checkMemory();
      this.#writing = this.#writing.then(() => this.#write(bytes));
      if (this.#first) this.#first.rowCount = completeRows(this.#first.columns);
      return this.#decoder.arrivedRows;
    });
    await this.#writing;
    return rows;
  }

  /**
   * Returns the head and the table of the rows so far. The table grows with each chunk. Undefined if the rows can't be
   * shown before all of them have arrived, because they arrive by column or are summaries, or the head follows them.
   */
  firstRows(): { readonly head: AnswerHead; readonly table: HeldTable } | undefined {
    const rowCount = this.#decoder.arrivedRows;
    const [columns] = this.#decoder.tables;
    if (rowCount === 0 || columns === undefined) return undefined;
    const head = headSoFar(this.#decoder);
    const [described] = head?.tables ?? [];
    if (head === undefined || described === undefined || head.aggregated) return undefined;
    if (described.fields.length !== columns.length) return undefined;
    const table = { ...described, rowCount };
    this.#first = new HeldTable(table, columns);
    return { head: { ...head, tables: [table] }, table: this.#first };
  }

  finish(arrival: AnswerArrival, task: LongTask): Promise<Arrived> {
    return this.#next(async () => {
      const json = this.#decoder.end();
      if (task.due) await task.pause(0, 0);
      const { tables: columns } = this.#decoder;
      const head = withNotices(answerHead(json, columns), arrival);
      const tables: HeldTable[] = [];
      for (const [index, table] of head.tables.entries()) {
        tables.push(new HeldTable(table, columns[index] ?? []));
        if (task.due) await task.pause(0, 0);
      }
      this.#checkMemory();
      await this.#writing;
      const kept = await this.#keepBody(head, arrival);
      return {
        head,
        tables,
        ...(kept !== undefined && { kept }),
        ...(this.#notKept !== undefined && { notKept: this.#notKept }),
      };
    });
  }

  discard(): Promise<void> {
    return this.#next(async () => {
      await this.#writing;
      await this.#writer?.discard();
      this.#writer = undefined;
    });
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }

  #checkMemory(): void {
    this.#nextCheck = this.#bodyBytes + memoryCheckBytes;
    let bytes = 0;
    for (const table of this.#decoder.tables) for (const column of table) bytes += column.bytes;
    const { maxBytes } = this.options;
    if (bytes <= maxBytes) return;
    const megabytes = Math.round(maxBytes / 1024 / 1024);
    throw new TooLarge(
      `The result needs more than the ${megabytes} MB of memory that results may use. Request fewer rows or columns.`,
    );
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const { keep } = this.options;
    if (keep === undefined || this.#notKept !== undefined) return;
    try {
      this.#writer ??= await (keep.pageOf === undefined
        ? BodyWriter.open(keep.folder, keep.about.askedAt)
        : BodyWriter.openPage(keep.folder, keep.pageOf.file, keep.pageOf.number));
      const { body, bytes: written } = this.#writer;
      if (body.bytesBefore + written + bytes.length > keep.maxBytes)
        return await this.#giveUp('It is larger than all results on disk may be.');
      await this.#writer.write(bytes);
    } catch (error) {
      await this.#giveUp(error);
    }
  }

  async #keepBody(head: AnswerHead, arrival: AnswerArrival): Promise<string | undefined> {
    const writer = this.#writer;
    const { keep } = this.options;
    if (writer === undefined || keep === undefined || this.#notKept !== undefined) return undefined;
    try {
      const rowCount = head.tables[0]?.rowCount ?? 0;
      if (keep.pageOf === undefined)
        await writer.finish(newHeader(keep.about, arrival, rowCount, writer.bytes));
      else await writer.finishPage();
    } catch (error) {
      await this.#giveUp(error);
      return undefined;
    }
    trimLater(keep.folder, keep.maxBytes);
    return writer.body.file;
  }

  /** Stops storing the answer on disk. The answer is still shown. */
  async #giveUp(why: unknown): Promise<void> {
    this.#notKept = why instanceof Error ? why.message : String(why);
    await this.#writer?.discard().catch(() => {});
    this.#writer = undefined;
  }
}

function completeRows(columns: readonly Column[]): number {
  let count = Number.POSITIVE_INFINITY;
  for (const { length } of columns) count = Math.min(count, length);
  return count;
}

/** Returns the head of an incomplete body; undefined if parts of it are missing. */
function headSoFar(decoder: BodyDecoder): AnswerHead | undefined {
  try {
    return answerHead(decoder.headOfArrived(), decoder.tables);
  } catch (error) {
    if (error instanceof MalformedBody) return undefined;
    throw error;
  }
}

/** Adds the client's own notices, except for notices that the service already sent. */
function withNotices(head: AnswerHead, { notices = [] }: AnswerArrival): AnswerHead {
  const said = new Set(head.messages.map(({ code }) => code));
  const more = notices.filter(({ code }) => !said.has(code));
  return more.length === 0 ? head : { ...head, messages: [...head.messages, ...more] };
}

/**
 * Collects a writer's text in chunks, waits until each is accepted, and yields to other work. A writer checks `due`
 * after every row and within rows of long values, and calls `pause` if it is true.
 */
import type { LongTask, RowSource } from '../rowSource.ts';
import { Notices } from './exportNotices.ts';

/** Receives an output's chunks. Each chunk is sent only after the previous promise has resolved. */
export interface Target {
  text(text: string): void | Promise<void>;
  bytes(bytes: Uint8Array): void | Promise<void>;
}

/** The number of characters to collect before a chunk is passed on. */
const chunkLength = 64 * 1024;

export class Output {
  readonly notices = new Notices();
  /** The number of written rows, set by the writer. */
  rows = 0;
  readonly #target: Target;
  readonly #task: LongTask;
  readonly #maxLength: number;
  #text = '';
  /** The number of written characters. */
  length = 0;
  #isTaskDue = false;
  /** The number of completed steps, counted by the writer. */
  done = 0;
  #total = 0;

  /** `maxLength`: the number of characters at which the output `isFull`. */
  constructor(target: Target, task: LongTask, maxLength = Number.POSITIVE_INFINITY) {
    this.#target = target;
    this.#task = task;
    this.#maxLength = maxLength;
  }

  /** Announces further steps to the task. A pass over all rows has one step per row. */
  expect(steps: number): void {
    this.#total += steps;
  }

  text(text: string): void {
    this.#text += text;
    this.length += text.length;
  }

  async bytes(bytes: Uint8Array): Promise<void> {
    await this.#flush();
    await this.#target.bytes(bytes);
  }

  /** Whether the text has reached its limit, so that writing stops after the current row. */
  get isFull(): boolean {
    return this.length >= this.#maxLength;
  }

  get due(): boolean {
    // Once the task is due, remember it until the next `pause`, because a task may check the clock only on some reads
    // of its `due`.
    this.#isTaskDue ||= this.#task.due;
    return this.#isTaskDue || this.#text.length >= chunkLength;
  }

  /** Passes on a full chunk and yields to other work. */
  async pause(): Promise<void> {
    if (this.#text.length >= chunkLength) await this.#flush();
    if (!this.#isTaskDue) return;
    this.#isTaskDue = false;
    await this.#task.pause(this.done, this.#total);
  }

  async end(): Promise<void> {
    await this.#flush();
    await this.#task.pause(this.#total, this.#total);
  }

  async #flush(): Promise<void> {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    await this.#target.text(text);
  }
}

interface RowText {
  /** Returns the text that precedes a row. */
  readonly open: (row: number) => string;
  /** Returns a value with the text that precedes it, such as the separator or the column name. */
  readonly cell: (row: number, column: number) => string;
  readonly close: string;
}

/** Writes all rows, yielding between them and within rows of long values. */
export async function writeRows(
  { rowCount, columns }: RowSource,
  output: Output,
  { open, cell, close }: RowText,
): Promise<void> {
  const width = columns.length;
  output.expect(rowCount);
  for (let row = 0; row < rowCount && !output.isFull; row++) {
    let text = open(row);
    for (let column = 0; column < width; column++) {
      text += cell(row, column);
      if (text.length < chunkLength) continue;
      output.text(text);
      text = '';
      if (output.due) await output.pause();
    }
    output.text(text + close);
    output.rows = row + 1;
    output.done++;
    if (output.due) await output.pause();
  }
}

/** Calls `visit` for all rows, yielding between them. */
export async function eachRow(
  { rowCount }: RowSource,
  output: Output,
  visit: (row: number) => void,
): Promise<void> {
  output.expect(rowCount);
  for (let row = 0; row < rowCount && !output.isFull; row++) {
    visit(row);
    output.done++;
    if (output.due) await output.pause();
  }
}

/**
 * The output of a writer: collects text in chunks, waits until each is taken, and yields to other work. A writer checks
 * `due` after every row and within rows of long values, and then calls `pause`.
 */
import type { LongTask, RowSource } from '../rowSource.ts';
import { Notices } from './exportNotices.ts';

/** Receives the chunks of an output. The next one comes after the promise has been fulfilled. */
export interface Target {
  text(text: string): void | Promise<void>;
  bytes(bytes: Uint8Array): void | Promise<void>;
}

/** Characters collected before they are passed on. */
const chunkLength = 64 * 1024;

export class Output {
  readonly notices = new Notices();
  /** Rows written so far, set by the writer. */
  rows = 0;
  readonly #target: Target;
  readonly #task: LongTask;
  readonly #maxLength: number;
  #text = '';
  /** Characters written so far. */
  length = 0;
  #isTaskDue = false;
  /** Steps of the task that are done, counted by the writer. */
  done = 0;
  #total = 0;

  /** `maxLength` is the number of characters after which `isFull`. */
  constructor(target: Target, task: LongTask, maxLength = Number.POSITIVE_INFINITY) {
    this.#target = target;
    this.#task = task;
    this.#maxLength = maxLength;
  }

  /** Adds steps to the task: a pass over all rows has as many as there are rows. */
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

  /** Whether the text has reached its bound, so that a writer of rows ends after this one. */
  get isFull(): boolean {
    return this.length >= this.#maxLength;
  }

  get due(): boolean {
    // Kept until the pause, because a task may look at the clock only at some of the questions.
    this.#isTaskDue ||= this.#task.due;
    return this.#isTaskDue || this.#text.length >= chunkLength;
  }

  /** Passes on collected text and yields to other work. */
  async pause(): Promise<void> {
    if (this.#text.length >= chunkLength) await this.#flush();
    if (!this.#isTaskDue) return;
    this.#isTaskDue = false;
    await this.#task.pause(this.done, this.#total);
  }

  /** Passes on the remaining text. */
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
  /** The text before the row. */
  readonly open: (row: number) => string;
  /** The value with what precedes it, such as the separator or the name. */
  readonly cell: (row: number, column: number) => string;
  readonly close: string;
}

/** Writes all rows, giving way between them and within rows of long values. */
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

/** Calls `visit` for all rows, giving way between them. */
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

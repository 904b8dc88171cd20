/** Writes rows in a format: to bytes, chunk by chunk, or to text for the clipboard. */
import type { ResultNotice } from '../result.ts';
import type { LongTask, RowSource } from '../rowSource.ts';
import { ExportError } from './exportError.ts';
import { type Format, formatOf, type KnownFormat } from './formats.ts';
import { readOptions } from './options.ts';
import { Output, type Target } from './output.ts';
import { writers } from './writers.ts';

/** Receives an export's bytes. Each chunk is sent only after the previous promise has resolved. */
export interface Sink {
  write(chunk: Uint8Array): void | Promise<void>;
}

export interface ExportSummary {
  readonly rows: number;
  readonly bytes: number;
  readonly notices: readonly ResultNotice[];
}

/**
 * Writes all rows of `source` to `sink`, and pauses whenever the task is due. Throws an ExportError with a message for
 * the user, the sink's error, or a cancelled task's error. The output is then incomplete.
 */
export async function exportRows(
  source: RowSource,
  format: string,
  options: Readonly<Record<string, unknown>>,
  sink: Sink,
  task: LongTask,
): Promise<ExportSummary> {
  const found = knownFormat(format, ({ extension }) => extension !== undefined);
  let bytes = 0;
  let isWellFormed = true;
  const target: Target = {
    text(text) {
      // Cast, because the ES2023 library lacks this method, although every supported runtime has it.
      isWellFormed &&= (text as string & { isWellFormed(): boolean }).isWellFormed();
      return target.bytes(Buffer.from(text));
    },
    bytes(chunk) {
      bytes += chunk.length;
      return sink.write(chunk);
    },
  };
  const output = await write(source, found, options, target, task);
  if (!isWellFormed) output.notices.add('halfSurrogates');
  return { rows: output.rows, bytes, notices: output.notices.list() };
}

export interface CopiedRows {
  readonly text: string;
  readonly rows: number;
  /** Whether rows were left out because the text had reached `maxLength`. */
  readonly truncated: boolean;
  readonly notices: readonly ResultNotice[];
}

/**
 * Returns rows as text for the clipboard, without a final line break. Stops after the row that reaches `maxLength`
 * characters, and still returns text that is complete in its format.
 */
export async function copyRows(
  source: RowSource,
  format: string,
  options: Readonly<Record<string, unknown>>,
  maxLength: number,
  task: LongTask,
): Promise<CopiedRows> {
  const found = knownFormat(format, ({ canCopy }) => canCopy);
  const chunks: string[] = [];
  const target: Target = {
    text: (text) => void chunks.push(text),
    bytes: () => {
      throw new Error(`${format} is not text`);
    },
  };
  const output = await write(source, found, options, target, task, maxLength);
  const text = chunks.join('');
  return {
    // Remove only the line break that ends a file. Text in a clipboard-only format may be a single cell, so keep it
    // unchanged.
    text: found.extension === undefined ? text : text.replace(/\n$/, ''),
    rows: output.rows,
    truncated: output.rows < source.rowCount,
    notices: output.notices.list(),
  };
}

function knownFormat(id: string, isUsable: (format: Format) => boolean): KnownFormat {
  const format = formatOf(id);
  if (format === undefined || !isUsable(format))
    throw new ExportError(`${id} is not an available format. Choose another one.`);
  return format;
}

async function write(
  source: RowSource,
  format: KnownFormat,
  given: Readonly<Record<string, unknown>>,
  target: Target,
  task: LongTask,
  maxLength?: number,
): Promise<Output> {
  const options = readOptions(given, format.options, format.defaults);
  const writer = await writers[format.id]();
  const output = new Output(target, task, maxLength);
  await task.pause(0, source.rowCount);
  await writer(source, output, options);
  await output.end();
  return output;
}

// Determines a CSV file's column names from its first record or from the settings.
import { FileProblem, type FileSource } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import { columnNames, csvCells } from './convert/csvRow.ts';
import { HEAD_BYTES } from './limits.ts';
import { scan, type WindowSink } from './scan.ts';
import type { Splitter } from './split/splitter.ts';

export interface CsvHeader {
  readonly names: readonly string[];
  /** The first record, if it contains the names. */
  readonly record?: Buffer;
}

export async function csvHeader(source: FileSource, settings: ReadSettings): Promise<CsvHeader> {
  const { csv } = settings;
  if (csv === undefined) throw new FileProblem('The settings of a CSV file lack its delimiter.');
  if (!/^[^"\r\n]$/.test(csv.delimiter) || csv.delimiter.charCodeAt(0) > 126) {
    throw new FileProblem('Choose a delimiter that is one ASCII character, such as a comma.');
  }
  if (!csv.header) return { names: columnNames(csv.names) };
  const sink = new FirstEvent();
  for await (const _ of scan(source, settings, HEAD_BYTES, sink)) if (sink.isFull) break;
  if (sink.reason !== undefined) {
    throw new FileProblem(`The header line cannot be read. ${sink.reason}`, sink.line);
  }
  if (sink.first === undefined) throw new FileProblem('The file has no events.');
  const record = sink.first;
  return { names: columnNames(csvCells(record, csv.delimiter)), record };
}

class FirstEvent implements WindowSink {
  first: Buffer | undefined;
  reason: string | undefined;
  line = 1;

  get isFull(): boolean {
    return this.first !== undefined || this.reason !== undefined;
  }

  begin(_base: number, _stored: number, _splitter: Splitter): void {}
  release(): void {}

  event(buffer: Buffer, start: number, end: number): void {
    this.first = Buffer.from(buffer.subarray(start, end));
  }

  broken(
    _buffer: Buffer,
    _start: number,
    _end: number,
    line: number,
    _last: number,
    reason: string,
  ): void {
    this.reason = reason;
    this.line = line;
  }
}

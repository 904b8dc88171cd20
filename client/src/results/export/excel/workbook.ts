/**
 * Excel workbooks. Rows that do not fit a sheet continue on further ones, and text that does not fit a cell
 * is on separate sheets, in parts, so that nothing is lost.
 */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { grouped } from '../../../words/counts.ts';
import type { RowSource } from '../../store/rowSource.ts';
import { declaredKind } from '../columnKinds.ts';
import { ExportError } from '../exportError.ts';
import type { ExportOptions } from '../options.ts';
import { eachRow, type Output } from '../output.ts';
import { excelDay, readInstant } from '../times.ts';
import { cellWriter, columnLetters, maxCellLength, stringCell } from './cells.ts';
import {
  packagePart,
  sheetEnd,
  sheetName,
  sheetPath,
  sheetStart,
  styles,
  workbookParts,
} from './parts.ts';

/** Rows of a sheet below its header. */
const sheetRows = 1_048_575;
const sheetColumns = 16_384;

export async function writeWorkbook(
  source: RowSource,
  _options: ExportOptions,
  output: Output,
): Promise<void> {
  if (source.columns.length > sheetColumns)
    throw new ExportError(
      `The result has ${grouped(source.columns.length)} columns, and a sheet of Excel has at most ${grouped(sheetColumns)}. Export it to Parquet or CSV, or leave out columns.`,
    );
  output.expect(source.rowCount);
  const dates = await dateColumns(source, output);
  const zip = new ZipStream(output);
  await zip.run(async () => {
    zip.add(packagePart);
    const names: string[] = [];
    const long = new LongTexts(source);
    const sheets = Math.max(1, Math.ceil(source.rowCount / sheetRows));
    if (sheets > 1) output.notices.add('excelSheets', sheets);
    for (let sheet = 0; sheet < sheets; sheet++) {
      const name = sheetName(source.name, sheet + 1);
      names.push(name);
      const rows = tableSheet({ source, output, dates, long, name, from: sheet * sheetRows });
      await zip.addStream(sheetPath(names.length - 1), rows);
    }
    output.notices.add('excelLongText', long.count);
    for (let sheet = 0; sheet < long.sheets; sheet++) {
      names.push(long.sheetName(sheet));
      await zip.addStream(sheetPath(names.length - 1), long.rows(sheet, output));
    }
    for (const part of workbookParts(names)) zip.add(part);
  });
}

/** The columns of times that are all days of Excel. Of a column with others all are text, so that it sorts. */
async function dateColumns(source: RowSource, output: Output): Promise<boolean[]> {
  const dates = source.columns.map((column) => declaredKind(column) === 'datetime');
  const times = [...dates.keys()].filter((column) => dates[column]);
  if (times.length > 0)
    await eachRow(source, output, (row) => {
      for (const column of times) {
        if (!dates[column]) continue;
        const cell = source.cell(row, column);
        if (cell === null) continue;
        const instant = typeof cell === 'string' ? readInstant(cell) : undefined;
        if (instant === undefined || excelDay(instant) === undefined) dates[column] = false;
      }
    });
  output.notices.add('excelTextTimes', times.filter((column) => !dates[column]).length);
  return dates;
}

/** Characters of XML that are gathered before they are compressed. */
const chunkLength = 64 * 1024;

/** Width of a column of times, in characters. */
const timeWidth = 24;

interface TableSheet {
  readonly source: RowSource;
  readonly output: Output;
  readonly dates: readonly boolean[];
  readonly long: LongTexts;
  readonly name: string;
  readonly from: number;
}

async function* tableSheet(sheet: TableSheet): AsyncGenerator<Buffer> {
  const { source, output, dates, long, name, from } = sheet;
  const letters = source.columns.map((_, column) => columnLetters(column));
  const to = Math.min(source.rowCount, from + sheetRows);
  const write = cellWriter(source, dates, output.notices, (row, column, text) =>
    long.add({ sheet: name, cell: `${letters[column]}${row - from + 2}`, row, column }, text),
  );
  let xml = sheetStart(dates.map((isDate) => (isDate ? timeWidth : undefined)));
  xml += headerRow(source.columns.map((column) => column.name));
  let reported = from;
  for (let row = from; row < to; row++) {
    const place = row - from + 2;
    xml += `<row r="${place}">`;
    for (let column = 0; column < letters.length; column++) {
      xml += write(row, column, `${letters[column]}${place}`);
      if (xml.length < chunkLength) continue;
      yield Buffer.from(xml);
      xml = '';
      if (output.due) await output.pause();
    }
    xml += '</row>';
    output.rows = row + 1;
    if (!output.due) continue;
    await output.pause(row + 1 - reported);
    reported = row + 1;
  }
  yield Buffer.from(xml + sheetEnd);
  await output.pause(to - reported);
}

function headerRow(names: readonly string[]): string {
  const cells = names.map((name, column) =>
    stringCell(`${columnLetters(column)}1`, name.slice(0, maxCellLength), ` s="${styles.header}"`),
  );
  return `<row r="1">${cells.join('')}</row>`;
}

/** A value that does not fit its cell. */
interface LongText {
  readonly sheet: string;
  readonly cell: string;
  readonly row: number;
  readonly column: number;
}

/** Gathers where long values are, and writes them in parts to sheets after those of the table. */
class LongTexts {
  readonly #source: RowSource;
  readonly #places: LongText[] = [];
  /** Rows that their parts take. */
  #rows = 0;

  constructor(source: RowSource) {
    this.#source = source;
  }

  get count(): number {
    return this.#places.length;
  }

  get sheets(): number {
    return Math.ceil(this.#rows / sheetRows);
  }

  sheetName(sheet: number): string {
    // The table may have the same name, and Excel compares names without regard to case.
    const base = /^long text( \d+)?$/i.test(sheetName(this.#source.name))
      ? 'Long values'
      : 'Long text';
    return sheetName(base, sheet + 1);
  }

  /** Returns what the cell says instead. */
  add(place: LongText, text: string): string {
    this.#places.push(place);
    const first = this.#rows;
    for (const _ of partsOf(text)) this.#rows++;
    const sheet = this.sheetName(Math.floor(first / sheetRows));
    return `(${grouped(text.length)} characters: see sheet '${sheet}' from row ${(first % sheetRows) + 2})`;
  }

  /** One sheet: a row for each part, with the sheet and the cell that it belongs to. */
  async *rows(sheet: number, output: Output): AsyncGenerator<Buffer> {
    yield Buffer.from(sheetStart([]) + headerRow(['Sheet', 'Cell', 'Part', 'Text']));
    let index = 0;
    for (const { sheet: name, cell, row, column } of this.#places) {
      let part = 0;
      for (const text of partsOf(this.#source.text(row, column) ?? '')) {
        part++;
        const place = (index % sheetRows) + 2;
        if (Math.floor(index++ / sheetRows) !== sheet) continue;
        yield Buffer.from(
          `<row r="${place}">${stringCell(`A${place}`, name)}${stringCell(`B${place}`, cell)}<c r="C${place}"><v>${part}</v></c>${stringCell(`D${place}`, text)}</row>`,
        );
        if (output.due) await output.pause();
      }
    }
    yield Buffer.from(sheetEnd);
  }
}

/** The text in parts that each fit a cell; surrogate pairs stay whole. */
function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + maxCellLength);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end--;
    yield text.slice(start, end);
    start = end;
  }
}

/** A zip whose entries are written one after the other, as fast as the output takes them. */
class ZipStream {
  readonly #zip = new ZipFile();
  readonly #output: Output;
  #current: Readable | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  add({ path, text }: { readonly path: string; readonly text: string }): void {
    this.#zip.addBuffer(Buffer.from(text), path);
  }

  /** Fulfilled when everything of `chunks` has been taken. */
  async addStream(path: string, chunks: AsyncGenerator<Buffer>): Promise<void> {
    const stream = Readable.from(chunks, { objectMode: false });
    this.#current = stream;
    this.#zip.addReadStream(stream, path, { compressionLevel: 4 });
    await finished(stream);
  }

  /** Writes what `fill` adds. A failure of either side ends both. */
  async run(fill: () => Promise<void>): Promise<void> {
    const stream = this.#zip.outputStream as Readable;
    const filling = fill().then(
      () => this.#zip.end(),
      (error) => void stream.destroy(error),
    );
    try {
      for await (const chunk of stream) await this.#output.bytes(chunk as Buffer);
      await filling;
    } finally {
      this.#current?.destroy();
    }
  }
}

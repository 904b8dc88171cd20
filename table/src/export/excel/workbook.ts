/** Writes Excel workbooks. Rows that don't fit into one sheet continue in further sheets. */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { grouped } from '../../../../formats/src/counts.ts';
import type { RowSource } from '../../rowSource.ts';
import { declaredKind } from '../columnKinds.ts';
import { ExportError } from '../exportError.ts';
import { eachRow, type Output } from '../output.ts';
import { excelDay, readInstant } from '../timeCells.ts';
import { cellWriter, columnLetters, stringCell } from './cells.ts';
import {
  type Part,
  packagePart,
  sheetEnd,
  sheetName,
  sheetPath,
  sheetStart,
  styles,
  workbookParts,
} from './parts.ts';

/** The maximum number of rows below a sheet's header. */
const sheetRows = 1_048_575;
const sheetColumns = 16_384;

export async function writeWorkbook(source: RowSource, output: Output): Promise<void> {
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
    const sheets = Math.max(1, Math.ceil(source.rowCount / sheetRows));
    if (sheets > 1) output.notices.add('excelSheets', sheets);
    for (let sheet = 0; sheet < sheets; sheet++) {
      names.push(sheetName(source.name, sheet + 1));
      const rows = tableSheet(source, output, dates, sheet * sheetRows);
      await zip.addStream(sheetPath(sheet + 1), rows);
    }
    for (const part of workbookParts(names)) zip.add(part);
  });
}

/** Finds the time columns whose values are all exact Excel dates. Others become text entirely, so that they sort. */
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

/** The number of XML characters to collect before compression. */
const chunkLength = 64 * 1024;

/** The width of time columns in characters. */
const timeWidth = 24;

/** Writes a sheet with the rows starting at `from`. */
async function* tableSheet(
  source: RowSource,
  output: Output,
  dates: readonly boolean[],
  from: number,
): AsyncGenerator<Buffer> {
  const { columns } = source;
  const letters = columns.map((_, column) => columnLetters(column));
  const to = Math.min(source.rowCount, from + sheetRows);
  const write = cellWriter(source, dates, output.notices);
  let xml = sheetStart(dates.map((isDate) => (isDate ? timeWidth : undefined)));
  const names = columns.map(({ name }, column) =>
    stringCell(`${letters[column]}1`, name, output.notices, ` s="${styles.header}"`),
  );
  xml += `<row r="1">${names.join('')}</row>`;
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
    output.done++;
    if (output.due) await output.pause();
  }
  yield Buffer.from(xml + sheetEnd);
}

/** A zip file. Its entries are written one after another, as fast as the output accepts them. */
class ZipStream {
  readonly #zip = new ZipFile();
  readonly #output: Output;
  #current: Readable | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  add({ path, text }: Part): void {
    this.#zip.addBuffer(Buffer.from(text), path);
  }

  /** Adds an entry. Resolves when all chunks have been consumed. */
  async addStream(path: string, chunks: AsyncGenerator<Buffer>): Promise<void> {
    const stream = Readable.from(chunks, { objectMode: false });
    this.#current = stream;
    this.#zip.addReadStream(stream, path, { compressionLevel: 4 });
    await finished(stream);
  }

  /** Writes the entries that `fill` adds. A failure of `fill` or of the output stops both. */
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

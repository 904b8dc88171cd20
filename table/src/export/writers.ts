/** The formats' writers. The Excel and Parquet writers load on first use. */
import type { RowSource } from '../rowSource.ts';
import { writeDatatable } from './apl/datatable.ts';
import { writeInList } from './apl/inList.ts';
import type { FormatId } from './formats.ts';
import type { ExportOptions } from './options.ts';
import type { Output } from './output.ts';
import { writeCells, writeDelimited } from './text/delimited.ts';
import { writeJson, writeNdjson } from './text/json.ts';
import { writeMarkdown } from './text/markdown.ts';

/** Writes all rows. Throws an ExportError if the format can't represent the table. */
export type Writer = (source: RowSource, output: Output, options: ExportOptions) => Promise<void>;

export const writers: Readonly<Record<FormatId, () => Writer | Promise<Writer>>> = {
  csv: () => writeDelimited,
  tsv: () => writeDelimited,
  json: () => writeJson,
  ndjson: () => writeNdjson,
  markdown: () => writeMarkdown,
  xlsx: async () => (await import('./excel/workbook.ts')).writeWorkbook,
  parquet: async () => (await import('./parquet/parquet.ts')).writeParquet,
  text: () => writeCells,
  in: () => writeInList,
  datatable: () => writeDatatable,
};

/** The formats of exports and of the clipboard. The writers of Excel and Parquet load when they are used. */
import type { RowSource } from '../store/rowSource.ts';
import { writeDatatable } from './apl/datatable.ts';
import { writeInList } from './apl/inList.ts';
import { defaultOptions, type ExportOptions } from './options.ts';
import type { Output } from './output.ts';
import { writeCells, writeDelimited } from './text/delimited.ts';
import { writeJson, writeNdjson } from './text/json.ts';
import { writeMarkdown } from './text/markdown.ts';

/** Writes all rows. Throws an ExportError where the format cannot hold the table. */
export type Writer = (source: RowSource, options: ExportOptions, output: Output) => Promise<void>;

export interface Format {
  readonly id: string;
  /** What a person calls it. */
  readonly label: string;
  /** Of its files, without a dot; absent for what only the clipboard has. */
  readonly extension?: string;
  readonly canCopy: boolean;
  /** The options that it has. */
  readonly options: readonly (keyof ExportOptions)[];
  readonly defaults: ExportOptions;
  readonly load: () => Writer | Promise<Writer>;
}

const formatRows = [
  {
    id: 'csv',
    label: 'CSV',
    extension: 'csv',
    canCopy: true,
    options: ['delimiter', 'header', 'byteOrderMark', 'nullText', 'guardFormulas'],
    defaults: defaultOptions,
    load: () => writeDelimited,
  },
  {
    id: 'tsv',
    label: 'TSV',
    extension: 'tsv',
    canCopy: true,
    options: ['header', 'byteOrderMark', 'nullText', 'guardFormulas'],
    defaults: { ...defaultOptions, delimiter: '\t' },
    load: () => writeDelimited,
  },
  {
    id: 'json',
    label: 'JSON',
    extension: 'json',
    canCopy: true,
    options: [],
    defaults: defaultOptions,
    load: () => writeJson,
  },
  {
    id: 'ndjson',
    label: 'NDJSON',
    extension: 'ndjson',
    canCopy: true,
    options: [],
    defaults: defaultOptions,
    load: () => writeNdjson,
  },
  {
    id: 'markdown',
    label: 'Markdown',
    extension: 'md',
    canCopy: true,
    options: ['nullText'],
    defaults: defaultOptions,
    load: () => writeMarkdown,
  },
  {
    id: 'xlsx',
    label: 'Excel',
    extension: 'xlsx',
    canCopy: false,
    options: [],
    defaults: defaultOptions,
    load: async () => (await import('./excel/workbook.ts')).writeWorkbook,
  },
  {
    id: 'parquet',
    label: 'Parquet',
    extension: 'parquet',
    canCopy: false,
    options: [],
    defaults: defaultOptions,
    load: async () => (await import('./parquet/parquet.ts')).writeParquet,
  },
  {
    id: 'text',
    label: 'Text',
    canCopy: true,
    options: ['header'],
    defaults: defaultOptions,
    load: () => writeCells,
  },
  {
    id: 'in',
    label: 'in (…)',
    canCopy: true,
    options: [],
    defaults: defaultOptions,
    load: () => writeInList,
  },
  {
    id: 'datatable',
    label: 'datatable',
    canCopy: true,
    options: [],
    defaults: defaultOptions,
    load: () => writeDatatable,
  },
] as const satisfies readonly Format[];

export type FormatId = (typeof formatRows)[number]['id'];

export const formats: readonly Format[] = formatRows;

/** The format of an id; undefined if there is none. */
export function formatOf(id: string): Format | undefined {
  return formats.find((format) => format.id === id);
}

/**
 * The formats of exports and of the clipboard, as a person chooses among them. Their writers are in
 * `writers.ts`, which only the worker needs.
 */
import { defaultOptions, type ExportOptions } from './options.ts';

export interface Format {
  readonly id: string;
  /** The display name. */
  readonly label: string;
  /** The file extension without a dot; absent for clipboard-only formats. */
  readonly extension?: string;
  readonly canCopy: boolean;
  readonly options: readonly (keyof ExportOptions)[];
  readonly defaults: ExportOptions;
}

const formatRows = [
  {
    id: 'csv',
    label: 'CSV',
    extension: 'csv',
    canCopy: true,
    options: ['delimiter', 'header', 'byteOrderMark', 'nullText', 'guardFormulas'],
    defaults: defaultOptions,
  },
  {
    id: 'tsv',
    label: 'TSV',
    extension: 'tsv',
    canCopy: true,
    options: ['header', 'byteOrderMark', 'nullText', 'guardFormulas'],
    defaults: { ...defaultOptions, delimiter: '\t' },
  },
  {
    id: 'json',
    label: 'JSON',
    extension: 'json',
    canCopy: true,
    options: [],
    defaults: defaultOptions,
  },
  {
    id: 'ndjson',
    label: 'NDJSON',
    extension: 'ndjson',
    canCopy: true,
    options: [],
    defaults: defaultOptions,
  },
  {
    id: 'markdown',
    label: 'Markdown',
    extension: 'md',
    canCopy: true,
    options: ['nullText'],
    defaults: defaultOptions,
  },
  {
    id: 'xlsx',
    label: 'Excel',
    extension: 'xlsx',
    canCopy: false,
    options: [],
    defaults: defaultOptions,
  },
  {
    id: 'parquet',
    label: 'Parquet',
    extension: 'parquet',
    canCopy: false,
    options: [],
    defaults: defaultOptions,
  },
  {
    id: 'text',
    label: 'Text',
    canCopy: true,
    options: ['header', 'guardFormulas'],
    defaults: defaultOptions,
  },
  {
    id: 'in',
    label: 'in (…)',
    canCopy: true,
    options: [],
    defaults: defaultOptions,
  },
  {
    id: 'datatable',
    label: 'datatable',
    canCopy: true,
    options: [],
    defaults: defaultOptions,
  },
] as const satisfies readonly Format[];

export type FormatId = (typeof formatRows)[number]['id'];

export type KnownFormat = Format & { readonly id: FormatId };

export const formats: readonly KnownFormat[] = formatRows;

/** The format of an id; undefined if there is none. */
export function formatOf(id: string): KnownFormat | undefined {
  return formats.find((format) => format.id === id);
}

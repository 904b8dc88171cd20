/** The export and clipboard formats. Their writers are in `writers.ts`, which only the worker needs. */
import { defaultOptions, type ExportOptions } from './options.ts';

export interface Format {
  readonly id: string;
  readonly label: string;
  /** The file extension without a dot; absent for clipboard-only formats. */
  readonly extension?: string;
  readonly canCopy: boolean;
  readonly options: readonly (keyof ExportOptions)[];
  readonly defaults: ExportOptions;
}

const plain = { canCopy: true, options: [], defaults: defaultOptions } as const;

const formatRows = [
  {
    ...plain,
    id: 'csv',
    label: 'CSV',
    extension: 'csv',
    options: ['delimiter', 'header', 'byteOrderMark', 'nullText', 'guardFormulas'],
  },
  {
    ...plain,
    id: 'tsv',
    label: 'TSV',
    extension: 'tsv',
    options: ['header', 'byteOrderMark', 'nullText', 'guardFormulas'],
    defaults: { ...defaultOptions, delimiter: '\t' },
  },
  { ...plain, id: 'json', label: 'JSON', extension: 'json' },
  { ...plain, id: 'ndjson', label: 'NDJSON', extension: 'ndjson' },
  { ...plain, id: 'markdown', label: 'Markdown', extension: 'md', options: ['nullText'] },
  { ...plain, id: 'xlsx', label: 'Excel', extension: 'xlsx', canCopy: false },
  { ...plain, id: 'parquet', label: 'Parquet', extension: 'parquet', canCopy: false },
  { ...plain, id: 'text', label: 'Text', options: ['header', 'guardFormulas'] },
  { ...plain, id: 'in', label: 'in (…)' },
  { ...plain, id: 'datatable', label: 'datatable' },
] as const satisfies readonly Format[];

export type FormatId = (typeof formatRows)[number]['id'];

export type KnownFormat = Format & { readonly id: FormatId };

export const formats: readonly KnownFormat[] = formatRows;

export function formatOf(id: string): KnownFormat | undefined {
  return formats.find((format) => format.id === id);
}

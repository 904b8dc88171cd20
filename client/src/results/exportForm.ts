// The export form's values: initially those of the last export, then the user's choices.
import type * as vscode from 'vscode';
import { type FormatId, formats, type KnownFormat } from '../../../table/src/export/formats.ts';
import { type ExportOptions, readOptions } from '../../../table/src/export/options.ts';
import { initialTableViewState } from '../../../table/src/viewState.ts';
import type { TabResult } from './resultOf.ts';

type FileFormat = KnownFormat & { readonly extension: string };

export interface FormatOptions extends Pick<FileFormat, 'id' | 'label' | 'extension'> {
  readonly names: readonly (keyof ExportOptions)[];
  readonly options: ExportOptions;
}

export interface ExportForm {
  readonly title: string;
  readonly formats: readonly FormatOptions[];
  readonly format: FormatId;
  /** Whether the grid's arrangement hides rows or columns. */
  readonly hides: { readonly rows: boolean; readonly columns: boolean };
}

export interface ExportChoice {
  readonly format: FormatId;
  readonly options: ExportOptions;
  /** Whether to ignore the grid's arrangement and export all rows and columns in their original order. */
  readonly everything: boolean;
}

type Memory = Pick<vscode.Memento, 'get' | 'update'>;

export const fileFormats = formats.filter(
  (format): format is FileFormat => format.extension !== undefined,
);

const LAST_FORMAT = 'export.format';
const LAST_OPTIONS = 'export.options';

export function exportForm({ tab, answer }: TabResult, memory: Memory): ExportForm {
  const { tables, table } = answer.viewState;
  const { filters, hidden } = tables[table] ?? initialTableViewState;
  const last = memory.get<unknown>(LAST_FORMAT);
  return {
    title: tab.title,
    formats: fileFormats.map((format) => {
      const { id, label, extension, options: names } = format;
      return { id, label, extension, names, options: lastOptions(format, memory) };
    }),
    format: fileFormats.find(({ id }) => id === last)?.id ?? 'csv',
    hides: { rows: filters.length > 0, columns: hidden.length > 0 },
  };
}

export async function rememberExport(
  memory: Memory,
  { format, options }: ExportChoice,
): Promise<void> {
  await memory.update(LAST_FORMAT, format);
  await memory.update(`${LAST_OPTIONS}.${format}`, options);
}

function lastOptions({ id, options: names, defaults }: KnownFormat, memory: Memory): ExportOptions {
  const given = memory.get<Readonly<Record<string, unknown>>>(`${LAST_OPTIONS}.${id}`) ?? {};
  try {
    // Don't remember the formula guard, because each file has different data.
    return readOptions({ ...given, guardFormulas: undefined }, names, defaults);
  } catch {
    // Use the defaults, because another version may have stored invalid options.
    return defaults;
  }
}

// Asks for the format of an export, for its options where it has some, and for what to leave out. The last
// answers are remembered for the next export.
import type * as vscode from 'vscode';
import { showInputBox, showQuickPick } from '../ui/inputs.ts';
import { type Format, formats } from './export/formats.ts';
import { type ExportOptions, readOptions } from './export/options.ts';

export interface ExportChoice {
  readonly format: Format;
  readonly options: ExportOptions;
  /** Leave the arrangement of the grid aside: all rows and columns, in their original order. */
  readonly everything: boolean;
}

export interface ShownPart {
  readonly isFiltered: boolean;
  readonly hidesColumns: boolean;
}

const LAST_FORMAT = 'export.format';
const LAST_OPTIONS = 'export.options';

/** The options that are on or off, as they are asked for. */
const switches = {
  header: 'Start with the names of the columns',
  byteOrderMark: 'Start with a byte order mark, by which Excel recognizes UTF-8',
  guardFormulas: 'Guard against formulas: put an apostrophe in front of text that begins like one',
} as const;
type Switch = keyof typeof switches;

const details: { readonly [Name in Switch]?: string } = {
  guardFormulas:
    'Without it the file has the exact values, and a spreadsheet that opens it runs text such as =HYPERLINK(…)',
};

const delimiters = [
  { label: 'Comma', description: ',', delimiter: ',' },
  { label: 'Semicolon', description: ';', delimiter: ';' },
  { label: 'Tab', description: '\\t', delimiter: '\t' },
  { label: 'Pipe', description: '|', delimiter: '|' },
];

/** Undefined where the person dismissed a question. */
export async function askExport(
  memory: vscode.Memento,
  shown: ShownPart,
): Promise<ExportChoice | undefined> {
  const format = await askFormat(memory);
  if (format === undefined) return undefined;
  const key = `${LAST_OPTIONS}.${format.id}`;
  const given = memory.get<Record<string, unknown>>(key, {});
  const options = format.options.length === 0 ? format.defaults : await askOptions(format, given);
  if (options === undefined) return undefined;
  const everything = await askEverything(shown);
  if (everything === undefined) return undefined;
  await memory.update(LAST_FORMAT, format.id);
  if (format.options.length > 0) await memory.update(key, options);
  return { format, options, everything };
}

async function askFormat(memory: vscode.Memento): Promise<Format | undefined> {
  const last = memory.get<string>(LAST_FORMAT);
  const items = formats
    .filter(({ extension }) => extension !== undefined)
    .sort((a, b) => Number(b.id === last) - Number(a.id === last))
    .map((format) => ({ label: format.label, description: `.${format.extension}`, format }));
  const chosen = await showQuickPick(items, {
    title: 'Export Results',
    placeHolder: 'Choose a format',
  });
  return chosen?.format;
}

async function askOptions(
  format: Format,
  given: Readonly<Record<string, unknown>>,
): Promise<ExportOptions | undefined> {
  const { options: names, defaults, label } = format;
  const title = `Export Results as ${label}`;
  let known = defaults;
  try {
    // Leaving formulas unguarded is chosen anew for each file, since each has other data.
    known = readOptions({ ...given, guardFormulas: undefined }, names, defaults);
  } catch {
    // Stored by another version.
  }
  const changed: { -readonly [Name in keyof ExportOptions]?: ExportOptions[Name] } = {};
  if (names.includes('delimiter')) {
    const items = [...delimiters].sort(
      (a, b) => Number(b.delimiter === known.delimiter) - Number(a.delimiter === known.delimiter),
    );
    const placeHolder = 'Delimiter';
    const chosen = await showQuickPick(items, { title, placeHolder });
    if (chosen === undefined) return undefined;
    changed.delimiter = chosen.delimiter;
  }
  const offered = (Object.keys(switches) as Switch[]).filter((name) => names.includes(name));
  if (offered.length > 0) {
    const items = offered.map((name) => ({
      label: switches[name],
      picked: known[name],
      name,
      ...(details[name] !== undefined && { detail: details[name] }),
    }));
    const chosen = await showQuickPick(items, {
      title,
      canPickMany: true,
      placeHolder: 'Press Enter to go on',
    });
    if (chosen === undefined) return undefined;
    for (const name of offered) changed[name] = chosen.some((item) => item.name === name);
  }
  if (names.includes('nullText')) {
    const typed = await showInputBox({
      title,
      prompt: 'The text that represents null. Leave it empty for none.',
      value: known.nullText,
    });
    if (typed === undefined) return undefined;
    changed.nullText = typed;
  }
  return { ...defaults, ...changed };
}

async function askEverything({
  isFiltered,
  hidesColumns,
}: ShownPart): Promise<boolean | undefined> {
  if (!isFiltered && !hidesColumns) return false;
  const hidden = [isFiltered ? 'rows' : '', hidesColumns ? 'columns' : ''].filter(Boolean);
  const items = [
    {
      label: 'As shown',
      description: `Without the ${hidden.join(' and ')} that are hidden`,
      everything: false,
    },
    {
      label: 'Everything',
      description: 'All rows and columns, in their original order',
      everything: true,
    },
  ];
  const chosen = await showQuickPick(items, {
    title: 'Export Results',
    placeHolder: `Some ${hidden.join(' and ')} are hidden`,
  });
  return chosen?.everything;
}

// Writes the file of a notebook. Each line of a source and each saved row is on a separate line.
import { stringifyJson } from '../../../api/src/plain.ts';
import {
  type CellFile,
  fileVersion,
  type KeptOutput,
  type NotebookFile,
  type QuerySettings,
} from './file.ts';

/** The text of the file. Equal notebooks have equal text. */
export function writeNotebook({ keepOutputs, others, cells, ...settings }: NotebookFile): string {
  const written = object(0, [
    ['version', String(fileVersion)],
    ...settingMembers(settings),
    ...(keepOutputs ? [['keepOutputs', 'true'] as const] : []),
    ...otherMembers(others, 1),
    [
      'cells',
      list(
        1,
        cells.map((cell) => cellText(cell, keepOutputs)),
      ),
    ],
  ]);
  return `${written}\n`;
}

function cellText(cell: CellFile, keepOutputs: boolean): string {
  const { kind, language, source, outputs, others } = cell;
  const lines = source.split(/\r\n|\r|\n/).map((line) => JSON.stringify(line));
  const kept = keepOutputs && outputs.length > 0;
  return object(2, [
    ['kind', JSON.stringify(kind)],
    ...(language === undefined ? [] : [['language', JSON.stringify(language)] as const]),
    ...settingMembers(cell),
    ...otherMembers(others, 3),
    ['source', list(3, lines)],
    ...(kept ? [['outputs', list(3, outputs.map(outputText))] as const] : []),
  ]);
}

function outputText({ run, columns, rows, rowCount }: KeptOutput): string {
  return object(4, [
    ...(run === undefined ? [] : [['run', JSON.stringify(run)] as const]),
    [
      'columns',
      list(
        5,
        columns.map(({ name, type }) => JSON.stringify({ name, type })),
      ),
    ],
    [
      'rows',
      list(
        5,
        rows.map((row) => JSON.stringify(row)),
      ),
    ],
    ['rowCount', String(rowCount)],
  ]);
}

type Member = readonly [key: string, text: string];

function settingMembers({ range, deployment }: QuerySettings): Member[] {
  return [
    ...(range === undefined ? [] : [['range', JSON.stringify(range)] as const]),
    ...(deployment === undefined ? [] : [['deployment', JSON.stringify(deployment)] as const]),
  ];
}

function otherMembers(others: NotebookFile['others'], level: number): Member[] {
  return Object.entries(others).map(([key, value]) => [
    key,
    stringifyJson(value, 2).replaceAll('\n', `\n${indent(level)}`),
  ]);
}

function object(level: number, members: readonly Member[]): string {
  const lines = members.map(([key, text]) => `${indent(level + 1)}${JSON.stringify(key)}: ${text}`);
  return `{\n${lines.join(',\n')}\n${indent(level)}}`;
}

function list(level: number, items: readonly string[]): string {
  if (items.length === 0) return '[]';
  const lines = items.map((item) => `${indent(level + 1)}${item}`);
  return `[\n${lines.join(',\n')}\n${indent(level)}]`;
}

function indent(level: number): string {
  return '  '.repeat(level);
}

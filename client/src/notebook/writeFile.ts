// Writes a notebook file. Each source line and each saved row is on a separate line.
import { stringifyJson } from '../../../api/src/plain.ts';
import type { QuerySettings } from '../deployments/querySettings.ts';
import { type CellFile, fileVersion, type KeptOutput, type NotebookFile } from './file.ts';

/** Returns the file's text. Equal notebooks produce equal text. */
export function writeNotebook({ keepOutputs, others, cells, ...settings }: NotebookFile): string {
  const written = object(0, [
    ['version', String(fileVersion)],
    ...settingMembers(settings),
    ['keepOutputs', keepOutputs ? 'true' : undefined],
    ...otherMembers(others, 1),
    ['cells', list(1, cells, (cell) => cellText(cell, keepOutputs))],
  ]);
  return `${written}\n`;
}

function cellText(cell: CellFile, keepOutputs: boolean): string {
  const { kind, language, source, outputs, others } = cell;
  const lines = source.split(/\r\n|\r|\n/);
  const kept = keepOutputs && outputs.length > 0;
  return object(2, [
    ['kind', JSON.stringify(kind)],
    ['language', JSON.stringify(language)],
    ...settingMembers(cell),
    ...otherMembers(others, 3),
    ['source', list(3, lines, (line) => JSON.stringify(line))],
    ['outputs', kept ? list(3, outputs, outputText) : undefined],
  ]);
}

function outputText({ run, columns, rows, rowCount }: KeptOutput): string {
  return object(4, [
    ['run', JSON.stringify(run)],
    ['columns', list(5, columns, ({ name, type }) => JSON.stringify({ name, type }))],
    ['rows', list(5, rows, (row) => JSON.stringify(row))],
    ['rowCount', String(rowCount)],
  ]);
}

/** A key and its JSON text. Undefined, which `JSON.stringify` returns for an absent value, omits the member. */
type Member = readonly [key: string, text: string | undefined];

function settingMembers({ range, deployment }: QuerySettings): Member[] {
  return [
    ['range', JSON.stringify(range)],
    ['deployment', JSON.stringify(deployment)],
  ];
}

function otherMembers(others: NotebookFile['others'], level: number): Member[] {
  return Object.entries(others).map(([key, value]) => [
    key,
    stringifyJson(value, 2).replaceAll('\n', `\n${indent(level)}`),
  ]);
}

function object(level: number, members: readonly Member[]): string {
  const lines = members
    .filter(([, text]) => text !== undefined)
    .map(([key, text]) => `${indent(level + 1)}${JSON.stringify(key)}: ${text}`);
  return `{\n${lines.join(',\n')}\n${indent(level)}}`;
}

function list<T>(level: number, items: readonly T[], textOf: (item: T) => string): string {
  if (items.length === 0) return '[]';
  const lines = items.map((item) => `${indent(level + 1)}${textOf(item)}`);
  return `[\n${lines.join(',\n')}\n${indent(level)}]`;
}

function indent(level: number): string {
  return '  '.repeat(level);
}

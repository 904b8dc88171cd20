/**
 * Writes a GitHub Flavored Markdown table. Escapes markup in values, but bare URLs and email addresses become links.
 */
import { isNumeric } from '../../numberText.ts';
import type { RowSource } from '../../rowSource.ts';
import type { ExportOptions } from '../options.ts';
import { type Output, writeRows } from '../output.ts';

export async function writeMarkdown(
  source: RowSource,
  output: Output,
  options: ExportOptions,
): Promise<void> {
  const { columns } = source;
  // Use italics to distinguish null from the string "null".
  const nulls = options.nullText === '' ? '*null*' : escapeMarkdown(options.nullText);
  const line = (cells: readonly string[]) => output.text(`| ${cells.join(' | ')} |\n`);
  line(columns.map(({ name }) => escapeMarkdown(name)));
  line(columns.map(({ type }) => (isNumeric(type) ? '---:' : '---')));
  await writeRows(source, output, {
    open: () => '|',
    cell: (row, column) => {
      const text = source.text(row, column);
      return ` ${text === null ? nulls : escapeMarkdown(text)} |`;
    },
    close: '\n',
  });
}

/** Matches text without special characters, like most values. Underscores and spaces are checked separately. */
const plain = /^[\w .,:/=@()%+'"?-]*$/;

/** Matches underscores except within a word, where they are not markup. */
const underscore = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

function escapeMarkdown(text: string): string {
  if (plain.test(text) && !text.includes('_') && !/^\s|\s$|\s{2}/.test(text)) return text;
  return text
    .replace(/[\\`*[\]<>|~$&]/g, '\\$&')
    .replace(underscore, '\\_')
    .replace(/\r\n|\r|\n/g, '<br>')
    .replace(/\t/g, '&#9;')
    .replace(/^ | $| (?= )/g, '&nbsp;');
}

/** `aplomb format`: formats files, or lists the unformatted ones. */
import {
  defaultFormatOptions,
  type FormatOptions,
  format as formatEdits,
} from '../../language/src/editing.ts';
import {
  applyEdits,
  parseQuery,
  printableSource,
  type Span,
  splitQueries,
} from '../../language/src/index.ts';
import { findFiles, type Input, readInput, standardInput } from './input.ts';
import type { Io } from './io.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { counted } from './report/report.ts';
import { type Exit, exits, FileError, readArguments, UsageError, wholeNumber } from './usage.ts';
import { rewrite, see } from './write.ts';

const options = {
  check: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  'tab-size': { type: 'string', default: String(defaultFormatOptions.tabSize) },
  tabs: { type: 'boolean', default: false },
  width: { type: 'string', default: String(defaultFormatOptions.width) },
} as const;

/**
 * Formats the files in the arguments.
 * @throws UsageError
 */
export async function format(args: readonly string[], io: Io): Promise<Exit> {
  const { values, positionals } = readArguments(args, options);
  if (values.check && values.write) throw new UsageError('--check and --write cannot be combined.');
  if (values.write && positionals.includes(standardInput))
    throw new UsageError('--write cannot be used with standard input.');
  const wanted: FormatOptions = {
    tabSize: wholeNumber('tab-size', values['tab-size'], 1),
    width: wholeNumber('width', values.width, 1),
    insertSpaces: !values.tabs,
    finalNewline: true,
  };

  let troubles = 0;
  const trouble = (message: string) => {
    troubles++;
    io.complain(message);
  };
  const paths = findFiles(positionals, { trouble, note: io.note });
  if (!values.check && !values.write && paths.length > 1)
    throw new UsageError('Use --write or --check to format more than one file.');
  const untidy: string[] = [];
  let files = 0;
  for (const path of paths) {
    try {
      const seen = values.write ? see(path) : undefined;
      const input = readInput(path);
      const writesFile = values.check || values.write;
      const text = formatted(input, wanted, writesFile, io);
      files++;
      if (text !== input.text) untidy.push(input.name);
      if (seen !== undefined) {
        if (text !== input.text) await rewrite(path, seen, marked(input, text));
      } else if (!values.check) {
        io.writeExact(io.isTerminal ? printableSource(text) : marked(input, text));
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      trouble(error.message);
    }
  }
  if (values.check || values.write) {
    const verb = values.check ? 'not formatted' : 'formatted';
    const names = untidy.map((name) => `${name}\n`).join('');
    io.write(`${names}${counted(files, 'file')} checked: ${untidy.length} ${verb}.\n`);
  }
  if (troubles > 0) return exits.trouble;
  return values.check && untidy.length > 0 ? exits.problems : exits.clean;
}

function marked({ mark }: Input, text: string): string {
  return mark ? `\ufeff${text}` : text;
}

/**
 * Formats the queries in a file's text. In Markdown, only the fenced blocks change. With `inFile`, a file with syntax
 * errors is left unchanged, because it may not contain APL at all.
 */
function formatted(input: Input, wanted: FormatOptions, inFile: boolean, io: Io): string {
  const pieces = piecesOf(input);
  const broken = pieces.reduce((sum, { text }) => sum + brokenQueries(text), 0);
  if (broken > 0) {
    const queries = broken === 1 ? '1 query has' : `${broken} queries have`;
    const left = inFile ? 'The file is not formatted.' : 'Stages with errors are not formatted.';
    io.complain(`${input.name}: ${queries} syntax errors. ${left}`);
    if (inFile) return input.text;
  }
  const edits = pieces.map((piece) => ({ ...piece, text: formattedPiece(piece, wanted) }));
  return applyEdits(input.text, edits);
}

function brokenQueries(text: string): number {
  const isBroken = ({ start, end }: Span) => parseQuery(text.slice(start, end)).problems.length > 0;
  return splitQueries(text).filter(isBroken).length;
}

/** Formats an indented fence's lines without their indentation, then restores it. */
function formattedPiece({ text, indent }: Piece, wanted: FormatOptions): string {
  const lines = text.split(lineStart);
  // The indentation of a line that is less indented than its fence is ambiguous.
  if (!lines.every((line) => line.startsWith(indent) || line.trim() === '')) return text;
  const plain = lines
    .map((line) =>
      line.startsWith(indent) ? line.slice(indent.length) : line.replace(/^[ \t]+/, ''),
    )
    .join('');
  const width = Math.max(1, wanted.width - indent.length);
  return applyEdits(plain, formatEdits(plain, { ...wanted, width }))
    .split(lineStart)
    .map((line) => (line.trim() === '' ? line : indent + line))
    .join('');
}

const lineStart = /(?<=\n)/;

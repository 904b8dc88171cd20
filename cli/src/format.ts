/** `aplomb format`: formats files or, on request, only lists the unformatted files. */
import { plural } from '../../formats/src/counts.ts';
import { findSnippets, type Snippet } from '../../formats/src/snippets.ts';
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
import {
  type Exit,
  exits,
  FileError,
  integerOption,
  readArguments,
  UsageError,
} from '../../system/src/commandLine.ts';
import { findFiles, type Input, readInput, standardInput } from './input.ts';
import type { Io } from './io.ts';
import { readFileState, replaceContent } from './write.ts';

const options = {
  check: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  'tab-size': { type: 'string', default: String(defaultFormatOptions.tabSize) },
  tabs: { type: 'boolean', default: false },
  width: { type: 'string', default: String(defaultFormatOptions.width) },
} as const;

export async function format(args: readonly string[], io: Io): Promise<Exit> {
  const { values, positionals } = readArguments(args, 'any number', options);
  if (values.check && values.write) throw new UsageError('--check and --write cannot be combined.');
  if (values.write && positionals.includes(standardInput))
    throw new UsageError('--write cannot be used with standard input.');
  const formatOptions: FormatOptions = {
    tabSize: integerOption('tab-size', values['tab-size'], 1),
    width: integerOption('width', values.width, 1),
    insertSpaces: !values.tabs,
    finalNewline: true,
  };

  let errorCount = 0;
  const onError = (message: string) => {
    errorCount++;
    io.error(message);
  };
  const paths = findFiles(positionals, { onError, onNote: io.note });
  if (!values.check && !values.write && paths.length > 1)
    throw new UsageError('Use --write or --check to format more than one file.');
  const unformatted: string[] = [];
  let files = 0;
  for (const path of paths) {
    try {
      const state = values.write ? readFileState(path) : undefined;
      const input = readInput(path);
      const writesFile = values.check || values.write;
      const text = formatInput(input, formatOptions, writesFile, io);
      files++;
      if (text !== input.text) unformatted.push(input.name);
      if (state !== undefined) {
        if (text !== input.text) await replaceContent(path, state, withBom(input, text));
      } else if (!values.check) {
        io.writeExact(io.isTerminal ? printableSource(text) : withBom(input, text));
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      onError(error.message);
    }
  }
  if (values.check || values.write) {
    const verb = values.check ? 'not formatted' : 'formatted';
    const names = unformatted.map((name) => `${name}\n`).join('');
    io.write(`${names}${files} ${plural(files, 'file')} checked: ${unformatted.length} ${verb}.\n`);
  }
  if (errorCount > 0) return exits.error;
  return values.check && unformatted.length > 0 ? exits.problems : exits.clean;
}

function withBom({ hasBom }: Input, text: string): string {
  return hasBom ? `\ufeff${text}` : text;
}

/** Returns the formatted text. If `inFile`, skips a file with syntax errors, because it may not contain APL. */
function formatInput(input: Input, options: FormatOptions, inFile: boolean, io: Io): string {
  const snippets = findSnippets(input);
  const broken = snippets.reduce((sum, { text }) => sum + brokenQueries(text), 0);
  if (broken > 0) {
    const queries = broken === 1 ? '1 query has' : `${broken} queries have`;
    const left = inFile ? 'The file is not formatted.' : 'Stages with errors are not formatted.';
    io.error(`${input.name}: ${queries} syntax errors. ${left}`);
    if (inFile) return input.text;
  }
  const edits = snippets.map((snippet) => ({ ...snippet, text: formatSnippet(snippet, options) }));
  return applyEdits(input.text, edits);
}

function brokenQueries(text: string): number {
  const isBroken = ({ start, end }: Span) => parseQuery(text.slice(start, end)).problems.length > 0;
  return splitQueries(text).filter(isBroken).length;
}

function formatSnippet({ text, indent }: Snippet, options: FormatOptions): string {
  const lines = text.split(lineStart);
  // The indentation of a line that is indented less than the fence couldn't be restored.
  if (!lines.every((line) => line.startsWith(indent) || line.trim() === '')) return text;
  const plain = lines
    .map((line) =>
      line.startsWith(indent) ? line.slice(indent.length) : line.replace(/^[ \t]+/, ''),
    )
    .join('');
  const width = Math.max(1, options.width - indent.length);
  return applyEdits(plain, formatEdits(plain, { ...options, width }))
    .split(lineStart)
    .map((line) => (line.trim() === '' ? line : indent + line))
    .join('');
}

const lineStart = /(?<=\n)/;

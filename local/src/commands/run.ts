/** Runs all commands except `serve`. */
import { closest, printable } from '../../../language/src/index.ts';
import {
  choiceOption,
  exits,
  type Options,
  readArguments,
  required,
  UsageError,
  usageLines,
} from '../../../system/src/commandLine.ts';
import { type ExportFormat, exportFormats } from '../answers/exportFormats.ts';
import { backup } from './backup.ts';
import { type ExportArguments, exportRows } from './export.ts';
import type { CommandName } from './help.ts';
import { progressLine } from './progressLine.ts';
import { restore } from './restore.ts';
import { rotateTokens } from './rotateTokens.ts';

type Command = (args: readonly string[], signal: AbortSignal) => Promise<string>;

const DATA = { data: { type: 'string' } } as const;
const DATA_FOLDER = 'the data folder of the local deployment';

const commands = {
  backup: (args, signal) => {
    const { file, data } = fileAndData(args, DATA, 'the file to write', DATA_FOLDER);
    return backup(data, file, signal);
  },
  restore: (args, signal) => {
    const options = { ...DATA, 'without-tokens': { type: 'boolean', default: false } } as const;
    const given = fileAndData(args, options, 'the file of a backup', 'a new or empty folder');
    const { file, data, values } = given;
    return restore(file, data, { withoutTokens: values['without-tokens'] === true }, signal);
  },
  export: (args, signal) => exportRows(exportArguments(args), signal),
  'rotate-tokens': (args, signal) => {
    const { values } = readArguments(args, [], {
      ...DATA,
      all: { type: 'boolean', default: false },
    });
    return rotateTokens(required('--data', values.data, DATA_FOLDER), values.all, signal);
  },
} as const satisfies Readonly<Record<string, Command>>;

function fileAndData(
  args: readonly string[],
  options: typeof DATA & Options,
  fileIs: string,
  dataIs: string,
) {
  const { values, positionals } = readArguments(args, ['FILE'], options);
  const file = required('FILE', positionals[0], fileIs);
  return { file, values, data: required('--data', values.data, dataIs) };
}

function exportArguments(args: readonly string[]): ExportArguments {
  const { values, positionals } = readArguments(args, ['DATASET'], {
    ...DATA,
    format: { type: 'string' },
    query: { type: 'string' },
    start: { type: 'string' },
    end: { type: 'string' },
    output: { type: 'string', short: 'o' },
  });
  const { start, end, output } = values;
  const data = required('--data', values.data, DATA_FOLDER);
  const formats = Object.keys(exportFormats) as ExportFormat[];
  const given = required('--format', values.format, formats.join(' or '));
  const format = choiceOption('format', given, formats);
  if (format === 'parquet') required('--output', output, 'the file to write with -o');
  return { data, apl: aplOf(positionals[0], values.query), format, start, end, output };
}

function aplOf(dataset: string | undefined, query: string | undefined): string {
  const isStages = query?.trimStart().startsWith('|') ?? false;
  if (dataset === undefined) {
    if (isStages) throw new UsageError('A --query that starts with | requires DATASET.');
    return required('DATASET', query, 'the dataset');
  }
  if (query !== undefined && !isStages) {
    throw new UsageError(
      '--query must start with | if DATASET is specified, since it is applied to its events.',
    );
  }
  const name = dataset.replace(/[\\']/g, '\\$&');
  return `['${name}'] ${query ?? ''}`;
}

export async function runCommand(
  name: keyof typeof commands,
  args: readonly string[],
): Promise<number> {
  const cancel = new AbortController();
  const stop = () => cancel.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  try {
    const report = await commands[name](args, cancel.signal);
    progressLine.clear();
    if (report !== '') process.stderr.write(`${printable(report)}\n`);
    return exits.clean;
  } catch (error) {
    const { aborted } = cancel.signal;
    reportError(name, aborted ? new Error('Cancelled. Nothing was written.') : error);
    return aborted ? exits.cancelled : exits.error;
  }
}

export function reportError(name: CommandName, error: unknown): void {
  progressLine.clear();
  const lines =
    error instanceof UsageError
      ? usageLines(error, closest, name)
      : [error instanceof Error ? error.message : String(error)];
  process.stderr.write(`aplomb: ${lines.map(printable).join('\n')}\n`);
}

/** Runs the commands that exit by themselves: all except `serve`. */
import { printable } from '../../../language/src/index.ts';
import { type ExportFormatName, isExportFormat } from '../answers/exportFile.ts';
import { backup } from './backup.ts';
import { CommandError, exits } from './commandError.ts';
import { type ExportArguments, exportRows } from './export.ts';
import { ArgumentsError, type Options, readOptions, required } from './options.ts';
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
    const { values } = readOptions(args, { ...DATA, all: { type: 'boolean', default: false } });
    return rotateTokens(required('data', values.data, DATA_FOLDER), values.all, signal);
  },
} as const satisfies Readonly<Record<string, Command>>;

function fileAndData(
  args: readonly string[],
  options: typeof DATA & Options,
  fileIs: string,
  dataIs: string,
) {
  const { values, positionals } = readOptions(args, options, ['FILE']);
  const [file] = positionals;
  if (!file) throw new ArgumentsError(`FILE is missing. Specify ${fileIs}.`);
  return { file, values, data: required('data', values.data, dataIs) };
}

/** Parses the arguments of `export`. @throws ArgumentsError */
export function exportArguments(args: readonly string[]): ExportArguments {
  const { values, positionals } = readOptions(
    args,
    {
      ...DATA,
      format: { type: 'string' },
      query: { type: 'string' },
      start: { type: 'string' },
      end: { type: 'string' },
      output: { type: 'string', short: 'o' },
    },
    ['DATASET'],
  );
  const { start, end, output } = values;
  const data = required('data', values.data, DATA_FOLDER);
  const format = required('format', values.format, 'parquet or ndjson');
  if (!isExportFormat(format)) {
    throw new ArgumentsError(`--format must be parquet or ndjson, not '${format}'.`);
  }
  if (needsFile(format) && output === undefined) {
    throw new ArgumentsError('--output is missing. Specify the file to write with -o.');
  }
  return { data, apl: aplOf(positionals[0], values.query), format, start, end, output };
}

const needsFile = (format: ExportFormatName) => format === 'parquet';

function aplOf(dataset: string | undefined, query: string | undefined): string {
  const isStages = query?.trimStart().startsWith('|') ?? false;
  if (dataset === undefined) {
    if (query === undefined) throw new ArgumentsError('DATASET is missing. Specify the dataset.');
    if (isStages) throw new ArgumentsError('A --query that starts with | requires DATASET.');
    return query;
  }
  if (query !== undefined && !isStages) {
    throw new ArgumentsError(
      '--query must start with | if DATASET is specified, since it is applied to its events.',
    );
  }
  const name = dataset.replace(/[\\']/g, '\\$&');
  return `['${name}'] ${query ?? ''}`;
}

/** Runs a command and returns the exit status. */
export async function runCommand(
  name: keyof typeof commands,
  args: readonly string[],
): Promise<number> {
  const cancel = new AbortController();
  const stop = () => cancel.abort(new CommandError('Cancelled.'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  const complain = (message: string, hint = '') => {
    progressLine.clear();
    process.stderr.write(`aplomb: ${printable(message)}\n${hint}`);
  };
  try {
    const report = await commands[name](args, cancel.signal);
    progressLine.clear();
    if (report !== '') process.stderr.write(`${printable(report)}\n`);
    return exits.done;
  } catch (error) {
    if (cancel.signal.aborted) {
      complain('Cancelled. Nothing was written.');
      return exits.cancelled;
    }
    if (error instanceof ArgumentsError) {
      complain(error.message, `Run aplomb ${name} --help for usage.\n`);
    } else complain(error instanceof Error ? error.message : String(error));
    return exits.trouble;
  }
}

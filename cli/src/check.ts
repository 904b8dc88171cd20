/** `aplomb check`: reports problems in files. */
import { plural } from '../../formats/src/counts.ts';
import { findSnippets } from '../../formats/src/snippets.ts';
import {
  analyze,
  movedProblem,
  type ProblemCode,
  printableJson,
  type Schema,
} from '../../language/src/index.ts';
import {
  choiceOption,
  type Exit,
  exits,
  FileError,
  integerOption,
  readArguments,
} from '../../system/src/commandLine.ts';
import { codeFrom } from './codes.ts';
import { findFiles, type Input, readInput } from './input.ts';
import type { Io } from './io.ts';
import { jsonReport } from './report/json.ts';
import { type CheckedFile, countsOf, findingsIn, type Report } from './report/report.ts';
import { sarifReport } from './report/sarif.ts';
import { textReport } from './report/text.ts';
import { readSchema } from './schemaFile.ts';

const formats = ['text', 'json', 'sarif'] as const;

const options = {
  format: { type: 'string', default: 'text' },
  schema: { type: 'string' },
  'max-warnings': { type: 'string' },
  disable: { type: 'string', multiple: true, default: [] as string[] },
} as const;

/** Checks the files in the arguments. Throws a UsageError, or a FileError if the schema file can't be read. */
export function check(args: readonly string[], io: Io): Exit {
  const { values, positionals } = readArguments(args, 'any number', options);
  const format = choiceOption('format', values.format, formats);
  const warnings = values['max-warnings'];
  const maxWarnings =
    warnings === undefined ? Infinity : integerOption('max-warnings', warnings, 0);
  const disabled = parseCodes(values.disable);
  const schema = values.schema === undefined ? undefined : readSchema(values.schema);

  const errors: string[] = [];
  const onError = (message: string) => {
    errors.push(message);
    io.error(message);
  };
  const files: CheckedFile[] = [];
  for (const path of findFiles(positionals, { onError, onNote: io.note })) {
    try {
      files.push(checkInput(readInput(path), schema, disabled));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      onError(error.message);
    }
  }
  const counts = countsOf(files);
  io.writeExact(formatReport({ files, errors }, format, io));
  if (errors.length > 0) return exits.error;
  if (counts.warning > maxWarnings)
    io.error(
      `${counts.warning} ${plural(counts.warning, 'warning')} found, but --max-warnings allows ${maxWarnings}.`,
    );
  return counts.error > 0 || counts.warning > maxWarnings ? exits.problems : exits.clean;
}

function checkInput(input: Input, schema: Schema | undefined, disabled: readonly string[]) {
  const problems = findSnippets(input).flatMap(({ start, text }) =>
    analyze(text, schema, { disabled }).problems.map((problem) => movedProblem(problem, start)),
  );
  return { path: input.name, findings: findingsIn(input.text, problems) };
}

function formatReport(report: Report, format: (typeof formats)[number], io: Io): string {
  switch (format) {
    case 'text':
      return textReport(report, io.hasColor);
    case 'json':
      return printableJson(jsonReport(report));
    case 'sarif':
      return printableJson(
        sarifReport(report, { version: io.version(), folder: process.cwd(), page: io.page }),
      );
  }
}

/** Each `--disable` option may have several codes, separated by commas. */
function parseCodes(values: readonly string[]): ProblemCode[] {
  return values.flatMap((value) => value.split(',').map((code) => codeFrom(code.trim())));
}

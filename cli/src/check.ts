/** `aplomb check`: reports problems in files in one of three formats. */
import {
  analyze,
  movedProblem,
  type ProblemCode,
  printableJson,
  type Schema,
} from '../../language/src/index.ts';
import { codeFrom } from './codes.ts';
import { findFiles, type Input, readInput } from './input.ts';
import type { Io } from './io.ts';
import { piecesOf } from './pieces.ts';
import { jsonReport } from './report/json.ts';
import { type CheckedFile, counted, countsOf, findingsIn, type Report } from './report/report.ts';
import { sarifReport } from './report/sarif.ts';
import { textReport } from './report/text.ts';
import { readSchema } from './schemaFile.ts';
import { type Exit, exits, FileError, oneOf, readArguments, wholeNumber } from './usage.ts';

const formats = ['text', 'json', 'sarif'] as const;

const options = {
  format: { type: 'string', default: 'text' },
  schema: { type: 'string' },
  'max-warnings': { type: 'string' },
  disable: { type: 'string', multiple: true, default: [] as string[] },
} as const;

/**
 * Checks the files in the arguments.
 * @throws UsageError, or FileError if the schema can't be read.
 */
export function check(args: readonly string[], io: Io): Exit {
  const { values, positionals } = readArguments(args, options);
  const format = oneOf('format', values.format, formats);
  const most = values['max-warnings'];
  const mostWarnings = most === undefined ? Infinity : wholeNumber('max-warnings', most, 0);
  const disabled = codesOf(values.disable);
  const schema = values.schema === undefined ? undefined : readSchema(values.schema);

  const troubles: string[] = [];
  const trouble = (message: string) => {
    troubles.push(message);
    io.complain(message);
  };
  const files: CheckedFile[] = [];
  for (const path of findFiles(positionals, { trouble, note: io.note })) {
    try {
      files.push(checked(readInput(path), schema, disabled));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      trouble(error.message);
    }
  }
  const counts = countsOf(files);
  io.writeExact(reported({ files, troubles }, format, io));
  if (troubles.length > 0) return exits.trouble;
  if (counts.warning > mostWarnings)
    io.complain(
      `${counted(counts.warning, 'warning')} found, but --max-warnings allows ${mostWarnings}.`,
    );
  return counts.error > 0 || counts.warning > mostWarnings ? exits.problems : exits.clean;
}

function checked(
  input: Input,
  schema: Schema | undefined,
  disabled: readonly string[],
): CheckedFile {
  const problems = piecesOf(input).flatMap(({ start, text }) =>
    analyze(text, schema, { disabled }).problems.map((problem) => movedProblem(problem, start)),
  );
  return { path: input.name, findings: findingsIn(input.text, problems) };
}

function reported(report: Report, format: (typeof formats)[number], io: Io): string {
  switch (format) {
    case 'text':
      return textReport(report, io.colour);
    case 'json':
      return printableJson(jsonReport(report));
    case 'sarif':
      return printableJson(
        sarifReport(report, { version: io.version(), folder: process.cwd(), page: io.page }),
      );
  }
}

/** Returns the codes of `--disable`, which can be repeated and can contain comma-separated codes. */
function codesOf(values: readonly string[]): ProblemCode[] {
  return values.flatMap((value) => value.split(',').map((code) => codeFrom(code.trim())));
}

/** Parses problem codes, and formats message patterns. */
import {
  isProblemCode,
  type ProblemCode,
  problemCodes,
  problemRows,
} from '../../language/src/index.ts';
import { UsageError } from '../../system/src/commandLine.ts';

/** Returns `text` as a problem code. Throws a UsageError if the code doesn't exist. */
export function codeFrom(text: string): ProblemCode {
  if (isProblemCode(text)) return text;
  const otherwise = 'Run aplomb explain for a list.';
  throw new UsageError(`Unknown code '${text}'.`, { word: text, known: problemCodes, otherwise });
}

/** Returns a problem's message with placeholders in angle brackets, and without `{hint}`. */
export function messagePattern(code: ProblemCode): string {
  return problemRows[code].message.replace(/\{hint\}/g, '').replace(/\{(\w+)\}/g, '<$1>');
}

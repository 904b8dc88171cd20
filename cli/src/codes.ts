/** Parses problem codes that users enter, and formats the messages of codes with their placeholders. */
import {
  isProblemCode,
  type ProblemCode,
  problemCodes,
  problemRows,
} from '../../language/src/index.ts';
import { UsageError } from '../../system/src/commandLine.ts';

/** Returns the code that a user entered. Throws a UsageError if it doesn't exist. */
export function codeFrom(text: string): ProblemCode {
  if (isProblemCode(text)) return text;
  const otherwise = 'Run aplomb explain for a list.';
  throw new UsageError(`Unknown code '${text}'.`, { word: text, known: problemCodes, otherwise });
}

/** Returns a problem's message, without its hint and with its other placeholders in angle brackets. */
export function messagePattern(code: ProblemCode): string {
  return problemRows[code].message.replace(/\{hint\}/g, '').replace(/\{(\w+)\}/g, '<$1>');
}

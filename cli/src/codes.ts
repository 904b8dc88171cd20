/** Parses problem codes that users enter, and formats the messages of codes with their placeholders. */
import {
  closest,
  isProblemCode,
  type ProblemCode,
  problemCodes,
  problemRows,
} from '../../language/src/index.ts';
import { UsageError } from './usage.ts';

/**
 * Returns the code that a user entered.
 * @throws UsageError if it doesn't exist.
 */
export function codeFrom(text: string): ProblemCode {
  if (isProblemCode(text)) return text;
  const suggestion = closest(text, problemCodes);
  const hint =
    suggestion === undefined ? 'Run aplomb explain for a list.' : `Did you mean '${suggestion}'?`;
  throw new UsageError(`Unknown code '${text}'. ${hint}`);
}

/** Returns a problem's message, without its hint and with its other placeholders in angle brackets. */
export function messagePattern(code: ProblemCode): string {
  return problemRows[code].message.replace(/\{hint\}/g, '').replace(/\{(\w+)\}/g, '<$1>');
}

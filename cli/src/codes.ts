/** Codes of problems as people write them, and as they are shown where no query fills their message. */
import {
  closest,
  isProblemCode,
  type ProblemCode,
  problemCodes,
  problemRows,
} from '../../language/src/index.ts';
import { UsageError } from './usage.ts';

/**
 * A code that somebody wrote.
 * @throws UsageError when there is no such problem.
 */
export function codeFrom(text: string): ProblemCode {
  if (isProblemCode(text)) return text;
  const meant = closest(text, problemCodes);
  const hint = meant === undefined ? 'See aplomb explain for all.' : `Did you mean ${meant}?`;
  throw new UsageError(`There is no problem "${text}". ${hint}`);
}

/** The message of a problem, what a query fills in between angle brackets. */
export function messagePattern(code: ProblemCode): string {
  return problemRows[code].message.replace(/\{hint\}/g, '').replace(/\{(\w+)\}/g, '<$1>');
}

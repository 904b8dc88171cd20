// Describes where an event isn't valid JSON.
import { grouped } from '../../../formats/src/counts.ts';
import { type Expected, jsonError } from '../../../formats/src/jsonError.ts';

const expectations: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'value or ]': 'a value or ]',
  name: 'a name in quotes',
  'name or }': 'a name in quotes or }',
  colon: 'a colon',
  'comma or }': 'a comma or a closing bracket',
  'comma or ]': 'a comma or a closing bracket',
  end: 'the end of the event',
};

/** Returns a sentence about the first error. Characters are counted from 1. */
export function jsonProblem(text: string): string {
  const error = jsonError(text, { notNumbers: true });
  if (error === undefined) return 'It ends inside its JSON.';
  const character = `character ${grouped(error.offset + 1)}`;
  switch (error.kind) {
    case 'control character':
      return `A string has a control character at ${character}. Write it as an escape.`;
    case 'escape':
      return `A string has an unknown escape at ${character}.`;
    case 'open string':
      return `The string from ${character} on is not closed.`;
    case 'unexpected':
      return error.offset >= text.length
        ? 'It ends inside its JSON.'
        : `Expected ${expectations[error.expected]} at ${character}.`;
    default:
      return `It isn't valid JSON at ${character}.`;
  }
}

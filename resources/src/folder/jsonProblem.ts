// Describes where a file isn't valid JSON, or where reading and writing it would change it.
import { type Expected, type JsonError, jsonError } from '../../../formats/src/jsonError.ts';

export interface JsonProblem {
  readonly offset: number;
  readonly message: string;
}

/** Maximum nesting. Deeper JSON could exhaust the stack of the code that reads it next. */
const MAX_DEPTH = 500;

const expectations: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'value or ]': 'a value',
  name: 'the name of a member in quotation marks',
  'name or }': 'the name of a member in quotation marks',
  colon: "':'",
  'comma or }': "',' or '}'",
  'comma or ]': "',' or ']'",
  end: 'the end of the file',
};

/** Returns the first problem of a file's content; undefined if there is none. */
export function jsonProblem(text: string): JsonProblem | undefined {
  const error = jsonError(text, { uniqueNames: true, finite: true, maxDepth: MAX_DEPTH });
  if (error === undefined) return undefined;
  const offset = 'string' in error ? error.string : error.offset;
  return { offset, message: messageOf(error, text) };
}

function messageOf(error: JsonError, text: string): string {
  switch (error.kind) {
    case 'too deep':
      return `The JSON is nested more than ${MAX_DEPTH} levels.`;
    case 'repeated name':
      return `The member ${JSON.stringify(error.name)} appears twice. Keep one.`;
    // The number would be written back as null. Integers of any length are kept.
    case 'huge number':
      return `The number ${error.number} is too large.`;
    case 'unexpected': {
      const character = text.codePointAt(error.offset);
      const found =
        character === undefined ? 'the end of the file' : `'${String.fromCodePoint(character)}'`;
      return `Expected ${expectations[error.expected]}, but found ${found}.`;
    }
    default:
      return 'The string is not closed, or has an invalid escape.';
  }
}

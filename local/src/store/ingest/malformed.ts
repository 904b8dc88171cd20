/** Finds the position of malformed JSON in a rejected body, because DuckDB's line numbers are approximate. */
import { type JsonError, jsonError } from '../../../../formats/src/jsonError.ts';
import { ApiError } from '../../errors.ts';
import type { JsonFormat } from './scan.ts';

/** Returns the error for malformed JSON. If this file finds no problem, the error contains the engine's message. */
export function malformedJson(bytes: Buffer, format: JsonFormat, engineMessage: string): ApiError {
  const problem =
    format === 'newline_delimited'
      ? findInLines(bytes)
      : findInDocument(bytes.toString(), 1, format === 'unstructured');
  if (problem !== undefined) return new ApiError('events-malformed', problem);
  const engine = /at byte \d+ in \D*(\d+): (.*)/.exec(engineMessage);
  if (engine === null) {
    return new ApiError('events-malformed', { where: 'The body', problem: 'it is not valid JSON' });
  }
  // DuckDB reports the number of the next line or event, so subtract 1.
  const number = Math.max(1, Number(engine[1]) - 1);
  return new ApiError('events-malformed', {
    where: `${format === 'array' ? 'event' : 'line'} ${number}`,
    problem: engine[2]!.replace(/[.\s]+$/, ''),
  });
}

type JsonProblem = Readonly<Record<'where' | 'problem', string>>;

function findInLines(bytes: Buffer): JsonProblem | undefined {
  let line = 1;
  let start = 0;
  for (;;) {
    // Skip blank lines byte by byte, because a native search for each line end is slow if lines are short.
    for (let at = start; at < bytes.length && isBlank(bytes[at]!); at += 1) {
      if (bytes[at] !== NEWLINE) continue;
      line += 1;
      start = at + 1;
    }
    if (start >= bytes.length) return undefined;
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    const text = bytes.toString('utf8', start, end);
    const broken = isBlankText(text) ? undefined : findInDocument(text, line);
    if (broken !== undefined || found < 0) return broken;
    line += 1;
    start = end + 1;
  }
}

const NEWLINE = 0x0a;

const isBlank = (byte: number) =>
  byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === NEWLINE;

const isBlankText = (text: string) => /^[ \t\r]*$/.test(text);

function findInDocument(text: string, firstLine: number, many = false): JsonProblem | undefined {
  const error = jsonError(text, { many, notNumbers: true });
  if (error === undefined) return undefined;
  const offset = error.kind === 'open string' ? text.length : error.offset;
  let line = firstLine;
  let start = 0;
  for (let at = 0; at < offset; at += 1) {
    if (text.charCodeAt(at) !== NEWLINE) continue;
    line += 1;
    start = at + 1;
  }
  return { where: `line ${line}, column ${offset - start + 1}`, problem: problemOf(error, text) };
}

function problemOf({ kind, offset }: JsonError, text: string): string {
  if (kind === 'control character') return 'a control character in a string must be escaped';
  if (kind === 'escape')
    return `${JSON.stringify(text.slice(offset, offset + 2))} is not a valid escape sequence`;
  const character = kind === 'open string' ? undefined : text.codePointAt(offset);
  return character === undefined
    ? 'unexpected end of JSON'
    : `${JSON.stringify(String.fromCodePoint(character))} is unexpected`;
}

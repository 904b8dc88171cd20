/**
 * Finds where events are broken, once DuckDB has refused them: its own line numbers are approximate.
 * Everything of a request is refused with it, so time does not matter here.
 */
import { ApiError } from '../../errors.ts';
import { findJsonError } from './jsonErrors.ts';
import type { JsonFormat } from './scan.ts';

/** The error to answer with; `engineMessage` serves where nothing can be found. */
export function malformedJson(bytes: Buffer, format: JsonFormat, engineMessage: string): ApiError {
  const problem =
    format === 'newline_delimited'
      ? brokenLine(bytes)
      : brokenDocument(bytes.toString(), 1, format === 'unstructured');
  if (problem !== undefined) return new ApiError('events-malformed', problem);
  const engine = /at byte \d+ in \D*(\d+): (.*)/.exec(engineMessage);
  if (engine === null) {
    return new ApiError('events-malformed', { where: 'The body', problem: 'it is not valid JSON' });
  }
  // DuckDB counts the line or event that it has not read yet.
  const number = Math.max(1, Number(engine[1]) - 1);
  return new ApiError('events-malformed', {
    where: `${format === 'array' ? 'event' : 'line'} ${number}`,
    problem: engine[2]!.replace(/[.\s]+$/, ''),
  });
}

type Broken = Readonly<Record<'where' | 'problem', string>>;

function brokenLine(bytes: Buffer): Broken | undefined {
  let line = 1;
  let start = 0;
  for (;;) {
    // Blank lines byte by byte: a native search for the end of each is slow where they are short.
    for (let at = start; at < bytes.length && isBlank(bytes[at]!); at += 1) {
      if (bytes[at] !== NEWLINE) continue;
      line += 1;
      start = at + 1;
    }
    if (start >= bytes.length) return undefined;
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    const text = bytes.toString('utf8', start, end);
    const broken = isBlankText(text) ? undefined : brokenDocument(text, line);
    if (broken !== undefined || found < 0) return broken;
    line += 1;
    start = end + 1;
  }
}

const NEWLINE = 0x0a;

const isBlank = (byte: number) =>
  byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === NEWLINE;

const isBlankText = (text: string) => /^[ \t\r]*$/.test(text);

function brokenDocument(text: string, firstLine: number, many = false): Broken | undefined {
  const error = findJsonError(text, many);
  if (error === undefined) return undefined;
  let line = firstLine;
  let start = 0;
  for (let at = 0; at < error.offset; at += 1) {
    if (text.charCodeAt(at) !== NEWLINE) continue;
    line += 1;
    start = at + 1;
  }
  return { where: `line ${line}, column ${error.offset - start + 1}`, problem: error.problem };
}

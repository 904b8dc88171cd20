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
    format === 'newline_delimited' ? brokenLine(bytes) : brokenDocument(bytes.toString(), 1);
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
  let line = 0;
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    line += 1;
    const text = bytes.toString('utf8', start, end);
    if (text.trim() !== '') {
      const broken = brokenDocument(text, line);
      if (broken !== undefined) return broken;
    }
    start = end + 1;
  }
  return undefined;
}

function brokenDocument(text: string, firstLine: number): Broken | undefined {
  const error = findJsonError(text);
  if (error === undefined) return undefined;
  const before = text.slice(0, error.offset).split('\n');
  const line = firstLine + before.length - 1;
  return {
    where: `line ${line}, column ${before.at(-1)!.length + 1}`,
    problem: error.problem,
  };
}

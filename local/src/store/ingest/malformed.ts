/**
 * Finds where events are broken, once DuckDB has refused them: its own line numbers are approximate.
 * Everything of a request is refused with it, so time does not matter here.
 */
import { ApiError } from '../../errors.ts';
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

interface Broken {
  readonly where: string;
  readonly problem: string;
  readonly [key: string]: string;
}

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

function brokenDocument(text: string, line: number): Broken | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = (error as Error).message;
    // DuckDB takes these numbers, so they are not what it refused.
    if (/[-:,[\s](NaN|-?Infinity)/.test(text) && /token '?[NI]/.test(message)) return undefined;
    const at = /position (\d+)/.exec(message)?.[1];
    const before = at === undefined ? '' : text.slice(0, Number(at));
    const lines = before.split('\n');
    const column = at === undefined ? text.length + 1 : lines.at(-1)!.length + 1;
    const last = at === undefined ? text.split('\n').length : lines.length;
    return {
      where: `line ${line + last - 1}, column ${column}`,
      problem: inWords(message),
    };
  }
}

// V8's messages quote the text around the place, which may be long and is known to the sender.
function inWords(message: string): string {
  if (/Unexpected end/.test(message)) return 'the JSON ends too early';
  const token = /^Unexpected token '?(.+?)'?, /.exec(message)?.[1];
  if (token !== undefined) return `${JSON.stringify(token)} is not expected here`;
  return message.replace(/ in JSON at position.*$/, '').replace(/ \(line.*$/, '');
}

/**
 * CSV events: a line of names, unless the request brings them, and a line of values for each event.
 * All values are text. A line with too many or too few values breaks the request.
 */
import { ApiError } from '../../errors.ts';
import type { Session } from '../duckdb.ts';
import { quoteText } from '../sql.ts';
import type { Shape } from './shape.ts';
import { REQUEST_FIELDS_MAX } from './target.ts';

export interface CsvHeader {
  readonly names: readonly string[];
  /** The offset at which the events begin, and the lines before it. */
  readonly start: number;
  readonly lines: number;
}

// A line of names longer than this is not one.
const HEADER_BYTES_MAX = 1_048_576;

/** Reads the names of the columns from the first line. Throws when it is not a line of names. */
export function csvHeader(bytes: Buffer, delimiter: string): CsvHeader {
  const text = bytes.toString('utf8', 0, HEADER_BYTES_MAX);
  const names: string[] = [];
  let at = 0;
  for (;;) {
    const { value, end } = csvValue(text, at, delimiter);
    names.push(value);
    at = end;
    if (!text.startsWith(delimiter, at)) break;
    at += delimiter.length;
  }
  if (text.startsWith('\r\n', at)) at += 2;
  else if (at < text.length) at += 1;
  const head = text.slice(0, at);
  return {
    names: checkedNames(names),
    start: Buffer.byteLength(head),
    lines: head.split('\n').length - 1,
  };
}

function csvValue(text: string, start: number, delimiter: string) {
  if (text[start] !== '"') {
    let end = start;
    while (end < text.length && !'\r\n'.includes(text[end]!) && !text.startsWith(delimiter, end)) {
      end += 1;
    }
    return { value: text.slice(start, end), end };
  }
  let value = '';
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] !== '"') value += text[at];
    else if (text[at + 1] === '"') {
      value += '"';
      at += 1;
    } else return { value, end: at + 1 };
  }
  throw new ApiError('bad-csv-options', {
    problem: 'the quote in the first line is not closed',
  });
}

/** The names, those left empty numbered. Throws when two are the same. */
export function checkedNames(names: readonly string[]): string[] {
  const named = names.map((name, index) =>
    name.trim() === '' ? `column${index + 1}` : name.trim(),
  );
  if (named.length > REQUEST_FIELDS_MAX) {
    throw new ApiError('events-too-different', { count: named.length, limit: REQUEST_FIELDS_MAX });
  }
  const known = new Set<string>();
  const twice = named.find((name) => known.size === known.add(name).size);
  if (twice !== undefined) {
    throw new ApiError('bad-csv-options', {
      problem: `two columns have the name ${JSON.stringify(twice)}`,
    });
  }
  return named;
}

/**
 * Stages the rows of a checked CSV file without its line of names, as JSON objects of text. A value left
 * empty is not there; one written as "" is empty text. Of a single column DuckDB reads blank lines as rows,
 * and finds more of them where line ends differ.
 */
export async function stageCsv(
  session: Session,
  file: string,
  names: readonly string[],
  delimiter: string,
  bytes: number,
): Promise<void> {
  const columns = names.map((_, index) => `'c${index}': 'VARCHAR'`);
  const members = names.map((name, index) => `${quoteText(name)}, c${index}`);
  await session.run(
    `CREATE TEMP TABLE staged_events AS
       SELECT row_number() OVER () AS n, json_object(${members.join(', ')}) AS json
       FROM read_csv(${quoteText(file)}, auto_detect = false, header = false,
         delim = ${quoteText(delimiter)}, quote = '"', escape = '"', nullstr = '',
         allow_quoted_nulls = false, null_padding = false, strict_mode = false,
         max_line_size = ${Math.max(bytes + 1, 2_097_152)}, columns = {${columns.join(', ')}})
       ${names.length === 1 ? 'WHERE c0 IS NOT NULL' : ''}`,
  );
}

/** The shape of CSV events. */
export function csvShape(names: readonly string[]): Shape {
  const text: Shape = { kinds: new Set(['string']), children: new Map() };
  return { kinds: new Set(['object']), children: new Map(names.map((name) => [name, text])) };
}

/** A delimiter as given in the request: one character, or `\t` written out. */
export function checkedDelimiter(given: string | undefined): string {
  const delimiter = given === undefined || given === '' ? ',' : given === '\\t' ? '\t' : given;
  if (!/^[\t\x20-\x7e]$/.test(delimiter) || delimiter === '"') {
    throw new ApiError('bad-csv-options', {
      problem: `${JSON.stringify(given)} is not a valid separator; use one ASCII character`,
    });
  }
  return delimiter;
}

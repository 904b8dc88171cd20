/** Reads CSV events: an optional header record, then one record per event with a string for each column. */
import { csvValueAt } from '../../../../formats/src/csvValue.ts';
import type { Session } from '../../engines/duckdb/database/session.ts';
import { ApiError } from '../../errors.ts';
import { quoteText } from '../sql.ts';
import type { Shape } from './shape.ts';
import { REQUEST_FIELDS_MAX } from './target.ts';

// The maximum number of bytes up to the end of the header line.
const HEADER_BYTES_MAX = 1_048_576;

/** Returns the names, the offset of the first event, and the number of lines before that offset. */
export function csvHeader(bytes: Buffer, delimiter: string) {
  const text = bytes.toString('utf8', 0, HEADER_BYTES_MAX);
  const names: string[] = [];
  let at = 0;
  for (;;) {
    const value = csvValueAt(text, at, delimiter);
    if (!value.isClosed) {
      throw new ApiError('bad-csv-options', {
        problem: 'the quote in the first line is not closed',
      });
    }
    names.push(value.text);
    at = value.end;
    if (text[at] !== delimiter) break;
    at += 1;
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

/** Trims the names, and numbers the empty ones. Throws an ApiError if two names are equal or there are too many. */
export function checkedNames(names: readonly string[]): string[] {
  const named = names.map((name, index) => name.trim() || `column${index + 1}`);
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
 * Stages a checked CSV file as JSON objects of strings. Empty values become null. The rows that DuckDB adds for blank
 * lines and mixed line endings in a single column are dropped.
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

export function csvShape(names: readonly string[]): Shape {
  const text: Shape = { kinds: new Set(['string']), children: new Map() };
  return { kinds: new Set(['object']), children: new Map(names.map((name) => [name, text])) };
}

/** Returns the delimiter. Throws an ApiError if it is a quote, or is neither a tab nor printable ASCII. */
export function checkedDelimiter(given: string | undefined): string {
  const delimiter = given === undefined || given === '' ? ',' : given === '\\t' ? '\t' : given;
  if (!/^[\t\x20-\x7e]$/.test(delimiter) || delimiter === '"') {
    throw new ApiError('bad-csv-options', {
      problem: `${JSON.stringify(given)} is not a valid separator; use one ASCII character`,
    });
  }
  return delimiter;
}

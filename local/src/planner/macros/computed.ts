/**
 * Macros over functions implemented in JavaScript (`engines/duckdb/database/computed/`), which block the main thread.
 * The rows of a chunk (up to 2,048) are therefore split into calls of about 20 ms.
 */
import { grouped } from '../../../../formats/src/counts.ts';

const raw = String.raw;

/** The maximum work of a call, in steps of about 20 ns. */
const stepsOfCall = 1_048_576;

/**
 * Returns SQL that calls a JavaScript function with fewer rows per call if rows are costly. `call` refers to the
 * arguments as `_of[1]`, `_of[2]` and so on. DuckDB evaluates a lambda for 2,048 items at a time, so a costly row is
 * padded with items that are skipped. The arguments are in a list, because DuckDB loses a struct's field names in a
 * sub-query if a field is an outer column.
 */
function rationed(args: readonly string[], steps: string, call: string): string {
  const held =
    args.length === 1 ? `[[${args[0]}]]` : `list_zip(${args.map((arg) => `[${arg}]`).join(', ')})`;
  return `list_transform(${held}, lambda _of: ${shared(steps, '_share = 0', call)})[1]`;
}

/** Splits the rows of a lambda among calls of limited work. Skips the expression once the statement is canceled. */
export function inCalls(steps: string, expression: string): string {
  return shared(steps, 'apl.goes_on(_share) AND _share = 0', expression);
}

function shared(steps: string, isFirst: string, call: string): string {
  return `list_transform(range(0, apl.shares(${steps})), lambda _share: CASE WHEN ${isFirst} THEN ${call} END)[1]`;
}

/** Returns SQL that fails with `message` if `count` exceeds `most`. In the message, `most` replaces `{most}`. */
function atMost(most: number, count: string, message: string, todo: string): string {
  const bound = message.replace('{most}', grouped(most));
  return raw`CASE WHEN ${count} > ${most} THEN error('${bound}, not ' || format('{:,}', ${count}) || '. ${todo}') ELSE ${count} END`;
}

/** The maximum number of items in a Fourier transform, which then takes up to 15 ms. */
const mostFourier = 65_536;
/** The maximum number of multiplications in a filter, which take about 30 ms. */
const mostProducts = 33_554_432;
const mostBytes = 16_777_216;

/** Returns SQL that limits the total size of the strings or arrays that are created for a chunk of rows. */
function together(most: number): string {
  return raw`apl_together(_bytes, ${most}, 'The strings and arrays made for {rows} rows have {count} bytes, and the maximum is {most}. Create smaller values, or filter rows first.')`;
}

const fewerItems = 'Shorten the series with array_slice, or use longer steps.';

export const computedMacros: Readonly<Record<string, string>> = {
  'shares(_steps)': raw`CAST(greatest(least(CAST(_steps AS DOUBLE) / ${stepsOfCall / 2048}, 2048), 1) AS BIGINT)`,

  // Limits strings that can grow quickly, because computed columns can double in size with each stage.
  'bytes_together(_bytes)': together(268_435_456),
  // The limit for arrays is lower, because an array takes several times as much memory as its JSON string.
  'array_bytes_together(_bytes)': together(67_108_864),

  // Returns true, or ends a canceled statement, because DuckDB doesn't check for cancellation within a lambda. `_i` is
  // the item's index.
  'goes_on(_i)': raw`apl_together(_i, 1e300, '')`,

  'sha512(_s)': rationed(
    ['_s'],
    raw`(${atMost(mostBytes, 'strlen(_of[1])', 'hash_sha512 takes a string of at most {most} bytes', 'Hash a part of it, or use hash_sha256.')}) // 16`,
    'apl_sha512(_of[1])',
  ),
  'sorted_json(_j)': rationed(
    ['_j'],
    raw`2 * ${atMost(mostBytes, 'strlen(_of[1])', 'dynamic_to_json takes JSON of at most {most} bytes', 'Convert a part of it.')}`,
    raw`CASE WHEN json_type(_of[1]) IN ('OBJECT', 'ARRAY') THEN apl_sorted_json(CAST(_of[1] AS VARCHAR)) ELSE CAST(_of[1] AS VARCHAR) END`,
  ),
  'reversed(_s)': rationed(
    ['_s'],
    raw`(${atMost(mostBytes, 'strlen(_of[1])', 'reverse takes a string of at most {most} bytes', 'Reverse a part of it.')}) // 4`,
    'apl_reverse(_of[1])',
  ),
  // Returns the positions of `_n` in `_s`, in characters, starting from 0.
  'places(_s, _n)': raw`CAST(${rationed(
    ['_s', '_n'],
    raw`${atMost(mostBytes, 'strlen(_of[1]) + strlen(_of[2])', 'Searches for positions take strings of at most {most} bytes', 'Use a part of the string.')}`,
    'apl_places(_of[2], _of[1])',
  )} AS BIGINT[])`,

  // ── Series as lists of numbers; only `filled` accepts nulls, which are gaps ──
  'fourier(_re, _im, _direction)': rationed(
    ['_re', 'coalesce(_im, CAST([] AS DOUBLE[]))'],
    raw`16 * ${atMost(mostFourier, 'len(_of[1])', 'A Fourier transform takes at most {most} items', fewerItems)}`,
    'apl_fourier(_of[1], _of[2], _direction)',
  ),
  'fir(_x, _kernel, _gain)': rationed(
    ['_x', 'list_concat([_gain], _kernel)'],
    raw`len(_of[1]) + ${atMost(mostProducts, 'len(_of[1]) * len(_of[2])', 'series_fir takes at most {most} products of items and filter coefficients', fewerItems)} // 16`,
    'apl_fir(_of[1], _of[2])',
  ),
  'iir(_x, _b, _a)': rationed(
    ['_x', '_b', '_a'],
    raw`len(_of[1]) + ${atMost(mostProducts, 'len(_of[1]) * (len(_of[2]) + len(_of[3]))', 'series_iir takes at most {most} products of items and filter coefficients', fewerItems)} // 16`,
    'apl_iir(_of[1], _of[2], _of[3])',
  ),
  'filled(_list, _way)': rationed(['_list'], '2 * len(_of[1])', 'apl_fill(_of[1], _way)'),
};

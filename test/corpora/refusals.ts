/**
 * The documented queries that the local deployment does not answer, and the documented values that it does
 * not give, each with the reason. A row that is no longer needed fails the check.
 */

export interface Refusal {
  /** The code of the answer's first error. */
  readonly code: string;
  readonly reason: string;
  /** The page, or the page and line of one query. */
  readonly entries: readonly string[];
}

export const refusals: readonly Refusal[] = [
  {
    code: 'unsupported-function',
    reason: 'Places by address need a database of addresses, which no deployment may bring along.',
    entries: ['scalar-functions/ip-functions/geo-info-from-ip-address.mdx'],
  },
  {
    code: 'unsupported-function',
    reason: 'The local deployment has no SQL parser.',
    entries: [
      'scalar-functions/sql-functions/format-sql.mdx',
      'scalar-functions/sql-functions/parse-sql.mdx',
    ],
  },
  {
    code: 'external-data',
    reason:
      'The local deployment reads files and loopback addresses only, and these are far hosts.',
    entries: ['tabular-operators/externaldata-operator.mdx'],
  },
  {
    code: 'unsupported-expression',
    reason:
      'histogram as a group has no meaning that the pages agree on; it stands in summarize only.',
    entries: ['aggregation-function/histogram.mdx:129', 'aggregation-function/histogram.mdx:150'],
  },
  {
    code: 'invalid-query',
    reason: 'A call alone is no query: nothing says which rows it is computed for.',
    entries: [
      'scalar-functions/array-functions/array-shift-left.mdx:104',
      'scalar-functions/array-functions/array-shift-left.mdx:120',
    ],
  },
  {
    code: 'unknown-column',
    reason:
      'The summarize names a field outside of an aggregate, which has no one value in a group.',
    entries: ['scalar-functions/array-functions/strcat-array.mdx:87'],
  },
  {
    code: 'unknown-column',
    reason: 'Without withsource=dataset no column holds the name of a dataset.',
    entries: ['tabular-operators/union-operator.mdx:268'],
  },
];

export interface Contradiction {
  readonly entry: string;
  readonly column: string;
  readonly reason: string;
}

export const contradictions: readonly Contradiction[] = [
  {
    entry: 'scalar-functions/mathematical-functions/set-difference.mdx:39',
    column: 'difference',
    reason: 'The text says what is in the first set only, the output shows what is in one of both.',
  },
  {
    entry: 'scalar-functions/time-series/series-less-equals.mdx:62',
    column: 'baseline',
    reason: 'The page shows two durations for an array that the query writes as three numbers.',
  },
];

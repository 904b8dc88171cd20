/** Whole shapes of queries that are written again and again: one or more stages, as snippets behind a pipe. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets of the LSP mark their places so.

export interface ShapeRow {
  /** What a person types to find it. */
  readonly name: string;
  readonly summary: string;
  /** What is inserted behind the pipe, as an LSP snippet. */
  readonly snippet: string;
}

export const shapes: readonly ShapeRow[] = [
  {
    name: 'time series',
    summary: 'Counts over time, one line for each value of a field.',
    snippet: 'summarize ${1:count()} by bin_auto(_time), ${2:field}',
  },
  {
    name: 'top values',
    summary: 'The values of a field that occur most.',
    snippet: 'summarize count() by ${1:field}\n| top ${2:10} by count_',
  },
  {
    name: 'error rate',
    summary: 'The share of rows over time for which a condition holds, in percent.',
    snippet:
      'summarize errors = countif(${1:status >= 500}), total = count() by bin_auto(_time)\n| extend error_rate = 100.0 * errors / total',
  },
  {
    name: 'percentiles over time',
    summary: 'The median and the slowest twentieth and hundredth of a number over time.',
    snippet:
      'summarize p50 = percentile(${1:field}, 50), p95 = percentile(${1:field}, 95), p99 = percentile(${1:field}, 99) by bin_auto(_time)',
  },
  {
    name: 'latest per value',
    summary: 'The newest row for each value of a field.',
    snippet: 'summarize arg_max(_time, *) by ${1:field}',
  },
  {
    name: 'newest rows',
    summary: 'The newest rows first.',
    snippet: 'sort by _time desc\n| take ${1:100}',
  },
  {
    name: 'distinct count over time',
    summary: 'How many different values of a field there are over time.',
    snippet: 'summarize dcount(${1:field}) by bin_auto(_time)',
  },
];

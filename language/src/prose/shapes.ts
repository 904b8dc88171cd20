/** Snippets of common queries: one or more stages inserted after a pipe. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: LSP snippets use this placeholder syntax.

export interface ShapeRow {
  /** The name that users type to find the snippet. */
  readonly name: string;
  readonly summary: string;
  readonly snippet: string;
}

export const shapes: readonly ShapeRow[] = [
  {
    name: 'time series',
    summary: 'Count events over time for each value of a field.',
    snippet: 'summarize ${1:count()} by bin_auto(_time), ${2:field}',
  },
  {
    name: 'top values',
    summary: 'Find the most frequent values of a field.',
    snippet: 'summarize count() by ${1:field}\n| top ${2:10} by count_',
  },
  {
    name: 'error rate',
    summary: 'Compute the percentage of rows that match a condition over time.',
    snippet:
      'summarize errors = countif(${1:status >= 500}), total = count() by bin_auto(_time)\n| extend error_rate = 100.0 * errors / total',
  },
  {
    name: 'percentiles over time',
    summary: 'Compute the 50th, 95th and 99th percentile of a field over time.',
    snippet:
      'summarize p50 = percentile(${1:field}, 50), p95 = percentile(${1:field}, 95), p99 = percentile(${1:field}, 99) by bin_auto(_time)',
  },
  {
    name: 'latest per value',
    summary: 'Find the newest row for each value of a field.',
    snippet: 'summarize arg_max(_time, *) by ${1:field}',
  },
  {
    name: 'newest rows',
    summary: 'Return the newest rows first.',
    snippet: 'sort by _time desc\n| take ${1:100}',
  },
  {
    name: 'distinct count over time',
    summary: 'Count the distinct values of a field over time.',
    snippet: 'summarize dcount(${1:field}) by bin_auto(_time)',
  },
];

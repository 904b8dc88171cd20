/** Answers to the query of a monitor that counts errors by host in bins of five minutes, over any range. */
import type { CardQuestion } from '../../../client/src/boards/host/cards.ts';
import { boundNanoseconds } from '../../../client/src/time/timeRange.ts';
import { result, type Sample, table } from '../results/samples.ts';

const bin = 300_000;
const hosts = ['web-1', 'web-2'];
const at = Date.UTC(2026, 10, 21, 10, 2);

/** Returns the number of errors of a host in a bin. Some bins have many. */
export function errors(time: number, host: number): number {
  const step = time / bin;
  return (step + host * 17) % 60 < 4 ? 14 + (step % 5) : 2 + ((step * 7) % 5);
}

export function monitorAnswers({ range, title }: CardQuestion): Sample {
  const [from, to] = [range.start, range.end].map((bound) =>
    Number(boundNanoseconds(bound, at) / 1_000_000n),
  ) as [number, number];
  const first = Math.ceil(from / bin) * bin;
  const count = Math.max(0, Math.ceil((to - first) / bin));
  const time = (row: number) => first + Math.floor(row / hosts.length) * bin;
  const columns = table(count * hosts.length, {
    _time: ['datetime', (row) => new Date(time(row)).toISOString()],
    host: ['string', (row) => hosts[row % hosts.length] ?? ''],
    count_: ['integer', (row) => errors(time(row), row % hosts.length)],
  });
  const summary = {
    ...columns,
    columns: columns.columns.map((column) =>
      column.name === 'count_' ? { ...column, agg: { name: 'count' } } : column,
    ),
    groups: ['_time', 'host'],
    range: { field: '_time', start: new Date(from).toISOString(), end: new Date(to).toISOString() },
    buckets: { field: '_time', size: bin * 1e6 },
  };
  return result([summary], { title, messages: [] });
}

/** How long the text of a query takes to become SQL: read, bound to its dataset and planned, nothing kept. */
import { bindQuery, parseQuery } from '../../../language/src/index.ts';
import { planQuery } from '../../../local/src/planner/index.ts';
import type { DatasetLayout, StoredField } from '../../../local/src/store/layout.ts';
import { median } from '../measure.ts';
import { fields, type Range } from './events.ts';
import { questions } from './queries.ts';

const rounds = 200;

const stored = { VARCHAR: 'string', BIGINT: 'integer', DOUBLE: 'float' } as const;

const layout: DatasetLayout = {
  name: 'events',
  table: 'events',
  numbering: 1,
  fields: [
    ...['_sysTime', '_time'].map(
      (name): StoredField => ({ name, variants: [{ type: 'datetime', column: name }] }),
    ),
    ...fields.map(
      ([name, type]): StoredField => ({ name, variants: [{ type: stored[type], column: name }] }),
    ),
  ],
};

/** Milliseconds for each question: the median of many times, each from its text anew. */
export function planningTimes({ startTime, endTime }: Range): readonly number[] {
  const schema = {
    complete: true,
    datasets: [
      {
        name: layout.name,
        fields: layout.fields.map(({ name, variants: [only] }) => ({ name, type: only!.type })),
      },
    ],
  };
  const nanos = (time: string) => BigInt(Date.parse(time)) * 1_000_000n;
  const range = { start: nanos(startTime), end: nanos(endTime) };
  const context = {
    layoutOf: (name: string) => (name === layout.name ? layout : undefined),
    datasetNames: () => [layout.name],
    range,
    rangeStated: true,
    now: range.end,
    defaultLimit: 1_000,
    paged: true,
  };
  return questions.map(({ apl }) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      planQuery(bindQuery(parseQuery(apl), schema), context);
      times.push(performance.now() - start);
    }
    return median(times);
  });
}

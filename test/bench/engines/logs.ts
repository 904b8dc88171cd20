/** The questions about log events, against ClickHouse and against the shortest query over the same connection. */
import { setTimeout as pause } from 'node:timers/promises';
import { event, type Range, rangeOf } from '../local/events.ts';
import { type Measure, measure, middle, timed } from '../measure.ts';
import { type Dataset, type Setting, withEngines } from './datasets.ts';
import type { Part } from './parts.ts';
import { latest, oneId, questions, sparseSearches } from './questions.ts';
import { type Question, questionMeasure, ROUNDS } from './rounds.ts';
import { numberFields, sparseEvent } from './sparse.ts';
import { sparseLogs, typedLogs } from './tables.ts';

const SPARSE_EVENTS = 500_000;
const LOOKUP_BAR = 2.5;

export function logsOf(events: number): Dataset {
  return { name: 'events', events, line: event, table: typedLogs };
}

/** All but a hundredth at each end, so that the range is a filter and no formality. */
export function innerRange({ events }: Dataset): Range {
  const outside = Math.floor(events / 100);
  return rangeOf(outside, events - outside);
}

export const questionsPart: Part = {
  name: 'questions',
  rows: questions.map(({ name }) => name),
  run: ({ events, wanted, ...setting }) =>
    asked(
      logsOf(events),
      setting,
      questions.filter(({ name }) => wanted(name)),
    ),
};

export const sparsePart: Part = {
  name: 'sparse',
  rows: sparseSearches([]).map(({ name }) => name),
  run: ({ wanted, ...setting }) =>
    asked(
      { name: 'sparse', events: SPARSE_EVENTS, line: sparseEvent, table: sparseLogs },
      setting,
      sparseSearches(numberFields).filter(({ name }) => wanted(name)),
    ),
};

function asked(dataset: Dataset, setting: Setting, list: readonly Question[]): Promise<Measure[]> {
  return withEngines(dataset, setting, async (engines) => {
    const found: Measure[] = [];
    for (const question of list) {
      setting.progress(question.name);
      found.push(await questionMeasure(engines, question, innerRange(dataset)));
    }
    return found;
  });
}

const lookups = [latest, oneId].map((question) => ({
  ...question,
  row: `${question.name}, against print 1`,
}));

export const lookupsPart: Part = {
  name: 'lookups',
  rows: lookups.map(({ row }) => row),
  run: ({ events, wanted, ...setting }) => {
    const dataset = logsOf(events);
    const range = innerRange(dataset);
    return withEngines(dataset, setting, async ({ ours }) => {
      const found: Measure[] = [];
      for (const { row, apl, settleMs = 0 } of lookups.filter((lookup) => wanted(lookup.row))) {
        setting.progress(row);
        const rounds: Measure[] = [];
        for (let round = 0; round <= ROUNDS; round += 1) {
          const took = await timed(() => ours.query(apl, range));
          const shortest = await timed(() => ours.query('print 1', range));
          rounds.push(measure('engines', row, 'ms', took, shortest, LOOKUP_BAR));
          if (round === 0) await pause(settleMs);
        }
        // The first round warms up.
        found.push(middle(rounds.slice(1)));
      }
      return found;
    });
  },
};

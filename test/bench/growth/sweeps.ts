/** What grows: the events of a dataset, its fields, and the datasets of a deployment. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { latest, questions } from '../engines/questions.ts';
import { answerRows } from '../engines/rows.ts';
import { event, random, rangeOf, writeLines } from '../local/events.ts';
import { timed } from '../measure.ts';
import { fieldName, sparseFieldsEvent } from './sparseFields.ts';
import { constant, perSize, type Work } from './steps.ts';
import type { Ask, Filling, Sweep } from './sweep.ts';

const MILLION = 1_000_000;
const EVENTS_OF_FIELDS = 100_000;
const EVENTS_OF_DATASET = 1_000;
/** Datasets that are created or filled at once. */
const AT_ONCE = 16;
const UNITED = 10;

const asked = (
  name: string,
  work: Work,
  apl: (size: number) => string,
  events: Sweep['events'],
): Ask => ({
  name,
  unit: 'ms',
  work,
  ask: (ours, size) => ours.query(apl(size), rangeOf(0, events(size))),
});

const got = (name: string, work: Work, path: string, unit: 'ms' | 'KB' = 'ms'): Ask => ({
  name,
  unit,
  work,
  ask: (ours) => ours.get(path),
});

/** A request of a thousand events into a dataset. */
const sent = (dataset: string): Ask => {
  const body = lines(EVENTS_OF_DATASET, event);
  return {
    name: 'ingest of 1,000 events',
    unit: 'ms',
    work: constant,
    ask: async (ours) => {
      await ours.ingestLines(dataset, body);
      return undefined;
    },
  };
};

function lines(count: number, line: typeof event): string {
  const next = random(20_260_101);
  return Array.from({ length: count }, (_, row) => line(row, next)).join('');
}

/** Ingests a file of `count` events into the dataset `events`. */
async function fillOne({ ours, folder }: Filling, count: number, line: typeof event) {
  const file = join(folder, 'events.ndjson');
  await writeLines(file, count, line);
  await ours.makeDataset();
  const took = await timed(() => ours.ingest(file));
  const answer = await ours.query("['events'] | count", rangeOf(0, count));
  const stored = Object.values(answerRows(answer)[0] ?? {})[0];
  if (stored !== count) throw new Error(`${stored} events are stored, not ${count}.`);
  return took;
}

const perEvent = perSize('events');

const events: Sweep = {
  name: 'events',
  sizes: [1, 3, 10, 30].map((millions) => millions * MILLION),
  events: (size) => size,
  work: { disk: perEvent, memory: perEvent, start: constant, firstAnswer: perEvent },
  fill: (filling) => fillOne(filling, filling.size, event),
  asks: [
    ...questions.map(
      ({ name, apl, settleMs = 0 }): Ask => ({
        name,
        settleMs,
        unit: 'ms',
        work: name === latest.name ? constant : perEvent,
        // All but a hundredth at each end, so that the range is a filter.
        ask: (ours, size) => ours.query(apl, rangeOf(size / 100, size - size / 100)),
      }),
    ),
    got('fields', constant, '/v2/datasets/events/fields'),
    got('info', constant, '/v1/datasets/events/info'),
    got('datasets', constant, '/v2/datasets'),
    sent('events'),
  ],
};

const perField = perSize('fields');
const ofFields = (name: string, work: Work, apl: (size: number) => string) =>
  asked(name, work, apl, () => EVENTS_OF_FIELDS);

const fields: Sweep = {
  name: 'fields',
  sizes: [20, 200, 2_000],
  events: () => EVENTS_OF_FIELDS,
  // The values are the same number of values, in more columns.
  work: { disk: constant, memory: constant, start: constant, firstAnswer: constant },
  prepare: (data) => writeFileSync(join(data, 'license.json'), '{"maxFields": 100000}'),
  fill: (filling) =>
    fillOne(filling, EVENTS_OF_FIELDS, (row, next) => sparseFieldsEvent(row, next, filling.size)),
  asks: [
    ofFields('count', constant, () => "['events'] | summarize n = count()"),
    ofFields(
      'filter on one field',
      constant,
      (size) => `['events'] | where ${fieldName(size - 2)} == 42 | summarize n = count()`,
    ),
    ofFields(
      'count by one field',
      constant,
      (size) => `['events'] | summarize n = count() by ${fieldName(size - 1)}`,
    ),
    ofFields('latest 100', perField, () => "['events'] | sort by _time desc | take 100"),
    ofFields(
      'search of a word',
      perField,
      () => "['events'] | search 'Zürich' | summarize n = count()",
    ),
    ofFields(
      'search of a number',
      perField,
      () => "['events'] | search '4242' | summarize n = count()",
    ),
    got('fields', perField, '/v2/datasets/events/fields'),
    got('size of fields', perField, '/v2/datasets/events/fields', 'KB'),
    got('info', perField, '/v1/datasets/events/info'),
    sent('events'),
  ],
};

const perDataset = perSize('datasets');
const datasetName = (number: number) => `dataset-${String(number).padStart(6, '0')}`;
const firstDataset = datasetName(0);
const united = (size: number) => Math.min(UNITED, size);
const perUnited: Work = { label: 'datasets, to ten', of: united };
const ofDatasets = (name: string, work: Work, apl: (size: number) => string) =>
  asked(name, work, apl, () => EVENTS_OF_DATASET);

async function fillMany({ ours, size }: Filling): Promise<number> {
  const body = lines(EVENTS_OF_DATASET, event);
  const names = Array.from({ length: size }, (_, number) => datasetName(number));
  await atOnce(names, (name) => ours.makeDataset(name));
  return timed(() => atOnce(names, (name) => ours.ingestLines(name, body)));
}

async function atOnce(names: readonly string[], work: (name: string) => Promise<void>) {
  const queue = names.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const name of queue) await work(name);
    }),
  );
}

const datasets: Sweep = {
  name: 'datasets',
  sizes: [1, 100, 1_000],
  events: (size) => size * EVENTS_OF_DATASET,
  work: { disk: perDataset, memory: perDataset, start: perDataset, firstAnswer: perDataset },
  fill: fillMany,
  asks: [
    ofDatasets(
      'filter of one dataset',
      constant,
      () => `['${firstDataset}'] | where level == 'error' | summarize n = count()`,
    ),
    ofDatasets(
      'count by of one dataset',
      constant,
      () => `['${firstDataset}'] | summarize n = count() by status`,
    ),
    ofDatasets('union of ten datasets', perUnited, (size) => {
      const names = Array.from(
        { length: united(size) },
        (_, number) => `['${datasetName(number)}']`,
      );
      return `union ${names.join(', ')} | summarize n = count() by status`;
    }),
    got('datasets', perDataset, '/v2/datasets'),
    got('fields of one dataset', constant, `/v2/datasets/${firstDataset}/fields`),
    got('fields of all datasets', perDataset, '/v1/datasets/_fields'),
    got('info of one dataset', constant, `/v1/datasets/${firstDataset}/info`),
    sent(firstDataset),
  ],
};

export const sweeps: readonly Sweep[] = [events, fields, datasets];

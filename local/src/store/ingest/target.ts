/** Looks up the dataset that receives events. It may be changed or deleted while a request is processed. */
import { ApiError } from '../../errors.ts';
import { type Addition, checkWritable, type Dataset } from '../datasetRecords.ts';
import type { Store } from '../store.ts';

/** The maximum number of distinct fields in a request, in addition to the limit on the dataset's fields. */
export const REQUEST_FIELDS_MAX = 10_000;

/** Returns the dataset. Throws an ApiError if the dataset doesn't exist or is read-only. */
export function datasetOf(store: Store, name: string): Dataset {
  const dataset = store.datasets.get(name);
  if (dataset === undefined)
    throw new ApiError('dataset-not-found', { name: JSON.stringify(name) });
  checkWritable(dataset);
  return dataset;
}

/** Adds fields that queries may use before any event has a value for them, up to the dataset's limit. */
export async function ensureFields(
  store: Store,
  name: string,
  wanted: readonly Addition[],
): Promise<void> {
  const missing = () => {
    const known = new Set(datasetOf(store, name).layout.fields.map((field) => field.name));
    return wanted.filter(({ field }) => !known.has(field));
  };
  if (missing().length === 0) return;
  await datasetOf(store, name).lock.exclusive(async () => {
    const dataset = datasetOf(store, name);
    const additions = missing().slice(0, store.datasets.freeFields(dataset.layout));
    if (additions.length === 0) return;
    const widened = await store.engine.use((session) =>
      store.events.transaction(session, () => store.events.addColumns(session, dataset, additions)),
    );
    store.datasets.publish(name, widened);
  });
}

export function mapsOf(dataset: Dataset): ReadonlySet<string> {
  return new Set(dataset.document.mapFields ?? []);
}

/** The dataset that events go to, which may change or go while they are on their way. */
import { ApiError } from '../../errors.ts';
import type { Addition, Dataset } from '../datasets.ts';
import type { Store } from '../store.ts';

/** Different fields that one request may bring, before any limit of its dataset is looked at. */
export const REQUEST_FIELDS_MAX = 10_000;

/** The dataset as it is now. Throws when there is none of that name (any more). */
export function datasetOf(store: Store, name: string): Dataset {
  const dataset = store.datasets.get(name);
  if (dataset === undefined)
    throw new ApiError('dataset-not-found', { name: JSON.stringify(name) });
  return dataset;
}

/** Gives the dataset fields that queries may count on, before an event has a value of theirs; as many as there is room for. */
export async function ensureFields(
  store: Store,
  name: string,
  wanted: readonly Addition[],
): Promise<void> {
  const lacking = () => {
    const known = new Set(datasetOf(store, name).layout.fields.map((field) => field.name));
    return wanted.filter(({ field }) => !known.has(field));
  };
  if (lacking().length === 0) return;
  await datasetOf(store, name).gate.alone(async () => {
    const dataset = datasetOf(store, name);
    const additions = lacking().slice(0, store.datasets.room(dataset.layout));
    if (additions.length === 0) return;
    const widened = await store.engine.use((session) =>
      session.transaction(() => store.datasets.widen(session, dataset, additions)),
    );
    store.datasets.publish(name, widened);
  });
}

/** The names of its map fields. */
export function mapsOf(dataset: Dataset): ReadonlySet<string> {
  return new Set(dataset.document.mapFields ?? []);
}

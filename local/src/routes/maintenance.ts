/** Describes, trims and vacuums datasets. */
import { goDurationNanos } from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';
import { clampTime, formatNanos } from '../time.ts';
import { datasetNotFound, found } from './datasets.ts';
import { fieldOf } from './fields.ts';
import { type Call, type Handlers, Reply } from './handler.ts';

const DAY_MS = 86_400_000;

export const maintenanceHandlers = {
  getDatasetInfo: async ({ store, params, signal }) => {
    const { dataset_id: dataset } = params;
    const read = await store.datasets.read(dataset, async ({ document, layout }) => {
      const [size, bounds, blocks] = await Promise.all([
        store.events.readSize(layout, signal),
        store.events.readBounds(layout, signal),
        store.events.countBlocks(layout, signal),
      ]);
      return { document, layout, size, bounds, blocks };
    });
    const { document, layout, size, bounds, blocks } = found(dataset, read);
    return {
      name: document.name,
      created: document.created,
      numEvents: size.events,
      numFields: layout.fields.length,
      numBlocks: blocks,
      inputBytes: size.inputBytes,
      inputBytesHuman: formatBytes(size.inputBytes),
      compressedBytes: size.storedBytes,
      compressedBytesHuman: formatBytes(size.storedBytes),
      ...(bounds && {
        minTime: formatNanos(bounds.oldest),
        maxTime: formatNanos(bounds.newest),
      }),
      fields: layout.fields.map(fieldOf),
    };
  },
  trimDataset: async (call) => {
    await trim(call);
    return undefined;
  },
  trimDatasetV1: async (call) => ({ numDeleted: await trim(call) }),
  vacuumDataset: async ({ store, params }) => {
    const name = params.dataset_id;
    const vacuumed = await store.datasets.vacuum(name, (last) => {
      const ms = last === undefined ? 0 : Date.parse(last) + DAY_MS - Date.now();
      if (ms <= 0) return;
      const seconds = Math.ceil(ms / 1_000);
      const values = { name: JSON.stringify(name), seconds };
      throw new ApiError('vacuumed-today', values, {}, seconds);
    });
    if (vacuumed === undefined) throw datasetNotFound(name);
    return new Reply(200, new Uint8Array());
  },
} satisfies Handlers;

async function trim({ store, params, body, now }: Call<'trimDataset'> | Call<'trimDatasetV1'>) {
  // The schema has validated the duration.
  const oldest = now - (goDurationNanos(body.maxDuration) ?? 0n);
  const name = params.dataset_id;
  return found(name, await store.datasets.trim(name, clampTime(oldest)));
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

function formatBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  for (; amount >= 1_000 && unit < UNITS.length - 1; unit += 1) amount /= 1_000;
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[unit]}`;
}

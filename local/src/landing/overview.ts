/** Collects the number of events, the size and the time range of each dataset for the landing page. */
import { endpointRow } from '../../../api/src/index.ts';
import type { Caller } from '../access/callers.ts';
import { AccessCheck } from '../access/gate.ts';
import type { Dataset } from '../store/datasetRecords.ts';
import type { Store } from '../store/store.ts';
import { formatNanos } from '../time.ts';

export interface DatasetOverview {
  readonly name: string;
  readonly description: string;
  readonly events: number;
  /** Size on disk, in bytes. Partly used blocks count in full, and the write-ahead log is excluded. */
  readonly bytes: number;
  /** RFC 3339. Absent if there are no events. */
  readonly first?: string;
  readonly last?: string;
}

/** Returns an overview of each dataset whose fields the caller may list, or throws an ApiError if there is none. */
export async function overviewFor(
  store: Store,
  caller: Caller,
  signal: AbortSignal,
): Promise<DatasetOverview[]> {
  const access = new AccessCheck(store, endpointRow('listAllFields'), caller);
  access.checkTarget({ params: {}, query: {}, headers: {} });
  const overviews: DatasetOverview[] = [];
  for (const dataset of access.visible.datasets()) {
    const overview = await store.datasets.read(dataset.layout.name, (current) =>
      overviewOf(store, current, signal),
    );
    if (overview !== undefined) overviews.push(overview);
  }
  return overviews;
}

async function overviewOf(
  { events: stored }: Store,
  { document, layout }: Dataset,
  signal: AbortSignal,
): Promise<DatasetOverview> {
  const [{ events, storedBytes: bytes }, bounds] = await Promise.all([
    stored.readStoredSize(layout, signal),
    stored.readBounds(layout, signal),
  ]);
  return {
    name: layout.name,
    description: document.description ?? '',
    events,
    bytes,
    ...(bounds && { first: formatNanos(bounds.oldest), last: formatNanos(bounds.newest) }),
  };
}

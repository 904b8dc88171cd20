/** What the landing page says of each dataset: how many events, how large, from when to when. */
import { endpointRow } from '../../../api/src/index.ts';
import type { Caller } from '../access/callers.ts';
import { Passage } from '../access/gate.ts';
import type { Dataset } from '../store/datasets.ts';
import { quoteText } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { formatNanos, TIME_END, TIME_MIN } from '../time.ts';

export interface DatasetOverview {
  readonly name: string;
  readonly description: string;
  readonly events: number;
  /** On disk, in whole blocks; what is only in the log yet does not count. */
  readonly bytes: number;
  /** Of the oldest and newest event, RFC 3339; absent where there is none. */
  readonly first?: string;
  readonly last?: string;
}

/** The datasets whose fields the caller may list. Throws an ApiError for a caller who may list none. */
export async function overviewFor(
  store: Store,
  caller: Caller,
  signal: AbortSignal,
): Promise<DatasetOverview[]> {
  const passage = new Passage(store, 'listAllFields', endpointRow('listAllFields'), caller);
  passage.checkAddress({ params: {}, query: {}, headers: {} });
  const overviews: DatasetOverview[] = [];
  for (const dataset of passage.seen.datasets()) {
    const overview = await store.datasets.read(dataset.layout.name, (current) =>
      overviewOf(store, current, signal),
    );
    if (overview !== undefined) overviews.push(overview);
  }
  return overviews;
}

async function overviewOf(
  { engine, timeBounds }: Store,
  { document, layout: { name, table } }: Dataset,
  signal: AbortSignal,
): Promise<DatasetOverview> {
  const range = { start: TIME_MIN, end: TIME_END };
  const [[row], bounds] = await Promise.all([
    engine.use((session) => session.rows<[events: bigint, bytes: bigint]>(sizeSql(table)), signal),
    timeBounds.read([table], range, signal),
  ]);
  return {
    name,
    description: document.description ?? '',
    events: Number(row![0]),
    bytes: Number(row![1]),
    ...(bounds && { first: formatNanos(bounds.oldest), last: formatNanos(bounds.newest) }),
  };
}

// A block may hold parts of several columns, and a segment may need more blocks than its first.
function sizeSql(table: string): string {
  const segments = `SELECT block_id, additional_block_ids FROM pragma_storage_info(${quoteText(table)}) WHERE persistent`;
  return `WITH segments AS MATERIALIZED (${segments}), blocks AS (
      SELECT block_id AS block FROM segments UNION SELECT unnest(additional_block_ids) FROM segments)
    SELECT (SELECT count(*) FROM ${table}), (SELECT count(*) FROM blocks) * ${BLOCK_BYTES}`;
}

const BLOCK_BYTES = 262_144;

// Lists and saves a deployment's saved queries, and opens them as documents.
import { type Members, type Path, textAt, valueAt } from '../../../resources/src/value.ts';
import { titleLine } from '../deployments/fileLines.ts';
import { listRecords } from '../resources/calls.ts';
import type { Outcome } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import type { RangeParameters } from '../time/timeRange.ts';

export interface SavedQuery {
  readonly id: string;
  readonly name: string;
  readonly apl: string;
  readonly dataset?: string;
  readonly startTime?: string;
  readonly endTime?: string;
}

/** Returns all visible saved queries, sorted by name. */
export async function listSavedQueries(service: Service): Promise<Outcome<readonly SavedQuery[]>> {
  const answer = await listRecords(service, 'savedQueries');
  if (!answer.ok) return answer;
  const found = answer.value.flatMap((record) => savedQuery(record) ?? []);
  return { ok: true, value: found.sort((a, b) => a.name.localeCompare(b.name)) };
}

/** Saves a new query, or updates the query `replaced`. Returns notices about problems in the query. */
export async function saveQuery(
  service: Service,
  { name, apl, range }: Pick<SavedQuery, 'name' | 'apl'> & { readonly range: RangeParameters },
  replaced?: SavedQuery,
): Promise<Outcome<readonly string[]>> {
  const body = { name, kind: 'apl' as const, query: { apl, ...range } };
  const answer =
    replaced === undefined
      ? await service.call('createSavedQuery', { body })
      : await service.call('updateSavedQuery', { params: { id: replaced.id }, body });
  return answer.ok ? { ...answer, value: answer.value.notices } : answer;
}

function savedQuery(record: Members): SavedQuery | undefined {
  const [id, name, dataset, startTime, endTime] = paths.map((path) => textAt(record, path));
  const apl = valueAt(record, ['query', 'apl']);
  if (!id || typeof apl !== 'string') return undefined;
  return {
    id,
    name: name || id,
    apl,
    ...(dataset && { dataset }),
    ...(startTime && { startTime }),
    ...(endTime && { endTime }),
  };
}

const paths: readonly Path[] = [
  ['id'],
  ['name'],
  ['dataset'],
  ['query', 'startTime'],
  ['query', 'endTime'],
];

/** Formats a saved query as a document with its name, time range and query. */
export function savedQueryDocument(saved: SavedQuery): string {
  const range = rangeText(saved);
  const lines = [titleLine(saved.name)];
  if (range !== undefined) lines.push(`// range: ${range}`);
  return `${lines.join('\n')}\n${saved.apl.trimEnd()}\n`;
}

/** Returns the text of a `// range:` comment; undefined without a range or for an unknown format. */
function rangeText({ startTime, endTime }: SavedQuery): string | undefined {
  if (startTime === undefined || endTime === undefined) return undefined;
  const length = /^now-(\d+[smhdw])$/.exec(startTime)?.[1];
  if (length !== undefined && endTime === 'now') return length;
  if (startTime.startsWith('now') || endTime.startsWith('now-')) return undefined;
  return `${startTime} to ${endTime}`;
}

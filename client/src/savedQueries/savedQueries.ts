// Saved queries of a deployment: listing, saving, and opening them as documents.
import type { ReadResponse } from '../../../api/src/index.ts';
import type { Outcome } from '../api/failure.ts';
import type { Service } from '../api/service.ts';
import { titleLine } from '../query/fileLines.ts';
import type { RangeParameters } from '../time/timeRange.ts';

export interface SavedQuery {
  readonly id: string;
  readonly name: string;
  readonly apl: string;
  readonly dataset?: string;
  readonly startTime?: string;
  readonly endTime?: string;
}

const PAGE = 100;
/** Limits requests to a service that repeats its pages. */
const PAGES_MAX = 50;

/** Returns all visible saved queries, by name. */
export async function listSavedQueries(service: Service): Promise<Outcome<readonly SavedQuery[]>> {
  const found = new Map<string, SavedQuery>();
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { limit: PAGE, offset: page * PAGE };
    const answer = await service.call('listSavedQueries', { query });
    if (!answer.ok) return answer;
    const before = found.size;
    for (const item of answer.value.typed) {
      const saved = savedQuery(item);
      if (saved) found.set(saved.id, saved);
    }
    if (answer.value.typed.length < PAGE || found.size === before) break;
  }
  const byName = (a: SavedQuery, b: SavedQuery) => a.name.localeCompare(b.name);
  return { ok: true, value: [...found.values()].sort(byName) };
}

/** Saves a query, or replaces `replaced`. Returns notices about running it. */
export async function saveQuery(
  service: Service,
  {
    name,
    apl,
    range,
  }: { readonly name: string; readonly apl: string; readonly range: RangeParameters },
  replaced?: SavedQuery,
): Promise<Outcome<readonly string[]>> {
  const body = { name, kind: 'apl' as const, query: { apl, ...range } };
  const answer =
    replaced === undefined
      ? await service.call('createSavedQuery', { body })
      : await service.call('updateSavedQuery', { params: { id: replaced.id }, body });
  return answer.ok ? { ...answer, value: answer.value.notices } : answer;
}

type Item = ReadResponse<'listSavedQueries'>[number];

function savedQuery({ id, name, query, dataset }: Item): SavedQuery | undefined {
  if (!id || typeof query?.apl !== 'string') return undefined;
  const { apl, startTime, endTime } = query;
  return {
    id,
    name: name || id,
    apl,
    ...(dataset && { dataset }),
    ...(startTime && { startTime }),
    ...(endTime && { endTime }),
  };
}

/** Formats a saved query as a document with its name, time range and query. */
export function savedQueryDocument(saved: SavedQuery): string {
  const range = rangeText(saved);
  const lines = [titleLine(saved.name)];
  if (range !== undefined) lines.push(`// range: ${range}`);
  return `${lines.join('\n')}\n${saved.apl.trimEnd()}\n`;
}

/** Returns the range for a `// range:` comment; undefined without a range, or for an unknown format. */
function rangeText({ startTime, endTime }: SavedQuery): string | undefined {
  if (startTime === undefined || endTime === undefined) return undefined;
  const length = /^now-(\d+[smhdw])$/.exec(startTime)?.[1];
  if (length !== undefined && endTime === 'now') return length;
  if (startTime.startsWith('now') || endTime.startsWith('now-')) return undefined;
  return `${startTime} to ${endTime}`;
}

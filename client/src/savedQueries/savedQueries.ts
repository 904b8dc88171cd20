// The saved queries of a deployment: listed, saved under a name, and turned into a document.
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
/** A service that repeats its pages must not be asked forever. */
const PAGES_MAX = 50;

/** All saved queries that the token may see, by name. */
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

/** Saves a query, in place of `replaced` if that is given. Gives what would keep it from running now. */
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

/** A saved query as a document: its name, its time range where it has one, and the query. */
export function savedQueryDocument(saved: SavedQuery): string {
  const range = rangeText(saved);
  const lines = [titleLine(saved.name)];
  if (range !== undefined) lines.push(`// range: ${range}`);
  return `${lines.join('\n')}\n${saved.apl.trimEnd()}\n`;
}

/** The range as a `// range:` line has it; undefined where there is none, or one that is not understood. */
function rangeText({ startTime, endTime }: SavedQuery): string | undefined {
  if (startTime === undefined || endTime === undefined) return undefined;
  const length = /^now-(\d+[smhdw])$/.exec(startTime)?.[1];
  if (length !== undefined && endTime === 'now') return length;
  if (startTime.startsWith('now') || endTime.startsWith('now-')) return undefined;
  return `${startTime} to ${endTime}`;
}

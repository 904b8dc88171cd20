/** Changes the query of a monitor, which gives one value per run, into one that gives these values over time. */
import type { QueryFacts } from '../../../../server/src/protocol.ts';
import type { Rule } from './rule.ts';

/** Operators that change each row alone, so that a later stage may still group the rows by time. */
const rowOperators = new Set([
  'where',
  'filter',
  'extend',
  'extend-valid',
  'project',
  'project-away',
  'project-keep',
  'project-rename',
  'project-reorder',
  'parse',
  'parse-kv',
  'parse-where',
]);

/** Returns whether the width of the query's bins depends on the time range. */
export function hasAutomaticBins(apl: string): boolean {
  return /\bbin_auto\s*\(/.test(apl);
}

/**
 * Returns the query with a value for each range of a run. Returns undefined if the query has times already, or does
 * more than change and summarize the events of one dataset. `facts` asks the language server.
 */
export async function queryOverTime(
  { type, rangeMinutes }: Rule,
  apl: string,
  facts: (apl: string) => Promise<Pick<QueryFacts, 'datasets' | 'stages' | 'drawnAs'>>,
): Promise<string | undefined> {
  // The language server lists no stages if a comment names the query.
  const query = apl.trim().replace(/^(?:\/\/.*\s*)+/, '');
  const { datasets, stages = [], drawnAs } = await facts(query);
  const [source = '', ...operators] = stages.map((stage) => stage.toLowerCase());
  if (!datasets.some((name) => name.toLowerCase() === source)) return undefined;
  const words = operators.map((stage) => /^[a-z-]+/.exec(stage)?.[0] ?? '');
  const group = `bin(_time, ${rangeMinutes * 60}s)`;
  const last = type === 'MatchEvent' ? undefined : words.pop();
  if (!words.every((word) => rowOperators.has(word))) return undefined;
  if (type === 'MatchEvent') return `${query}\n| summarize events = count() by ${group}`;
  if (last !== 'summarize' || drawnAs === 'timeSeries') return undefined;
  const grouped = `${query}\n, ${group}`;
  // Without groups, what follows the comma is another aggregate.
  return (await facts(grouped)).drawnAs === 'timeSeries' ? grouped : `${query}\nby ${group}`;
}

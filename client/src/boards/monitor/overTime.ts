/** Rewrites a monitor's query, which returns one value per run, to return these values over time. */
import type { QueryFacts } from '../../../../server/src/protocol.ts';
import type { Rule } from './rule.ts';

/**
 * Operators that process each row separately. A later stage can still group the rows by time, unless they lack `_time`.
 */
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

/** Returns whether the query uses `bin_auto`, whose bin width depends on the time range. */
export function hasAutomaticBins(apl: string): boolean {
  return /\bbin_auto\s*\(/.test(apl);
}

/**
 * Returns a query with one value for each run's range. Returns undefined if the query already groups by time, or does
 * more than transform and summarize the rows of one dataset. `facts` asks the server to analyze a query.
 */
export async function queryOverTime(
  { type, rangeMinutes }: Rule,
  apl: string,
  facts: (apl: string) => Promise<Pick<QueryFacts, 'datasets' | 'stages' | 'drawnAs'>>,
): Promise<string | undefined> {
  // Remove a title comment, because the language server lists no stages for a query with one.
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
  // Add `by` if the query lacks it, because the appended bin would otherwise be parsed as another aggregate.
  return (await facts(grouped)).drawnAs === 'timeSeries' ? grouped : `${query}\nby ${group}`;
}

// Searches the queries of the workspace's files and of stored resources.
import { object, optional, text } from '../../../api/src/schema.ts';
import { counted } from '../../../formats/src/counts.ts';
import { aplLocations } from '../../../resources/src/aplLocations.ts';
import { type KindName, kinds } from '../../../resources/src/kinds.ts';
import { textAt } from '../../../resources/src/value.ts';
import { fenced, LineBudget, shortened } from '../answer.ts';
import { ANSWER_TOKENS_MAX, LISTED_QUERY_CHARACTERS_MAX } from '../limits.ts';
import type { AgentSession } from '../session.ts';
import { tool } from '../tool.ts';

/** Kinds of resource whose queries are searched. */
const SEARCHED = [
  'savedQueries',
  'views',
  'monitors',
  'dashboards',
] as const satisfies readonly KindName[];

interface FoundQuery {
  readonly name: string;
  readonly apl: string;
}

export const searchQueries = tool({
  name: 'search_queries',
  title: 'Search Queries',
  description:
    'Search queries of the workspace, saved queries, views, monitors and dashboards for words.',
  input: object({ words: optional(text('Words that must all occur. Default: all queries.')) }),
  async run(session, { words = '' }, signal) {
    const [files, stored] = await Promise.all([
      session.context.workspaceQueries(signal),
      storedQueries(session, signal),
    ]);
    const wanted = words
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const found = [...files, ...stored.queries].filter(({ name, apl }) => {
      if (wanted.length === 0) return true;
      const whole = `${name}\n${apl}`.toLowerCase();
      return wanted.every((word) => whole.includes(word));
    });
    const notes = [`${counted(found.length, 'query', 'queries')} found.`, ...stored.problems];
    if (found.length === 0) return { text: notes.join(' ') };
    const lines = new LineBudget(ANSWER_TOKENS_MAX - 400);
    let shown = 0;
    for (const { name, apl } of found) {
      const query = shortened(apl.trim(), LISTED_QUERY_CHARACTERS_MAX);
      if (!lines.add(`-- ${shortened(name.replace(/\s+/g, ' '), 150)}\n${query}`)) break;
      shown += 1;
    }
    if (shown < found.length) notes.push(`${found.length - shown} not shown. Use more words.`);
    return { text: `${notes.join(' ')}\n${fenced(lines.text, 'files and resources')}` };
  },
});

/** Returns the queries in resources. A kind that can't be read is left out, with the reason. */
async function storedQueries(
  session: AgentSession,
  signal: AbortSignal,
): Promise<{ readonly queries: FoundQuery[]; readonly problems: string[] }> {
  const lists = await Promise.all(
    SEARCHED.map(async (kind) => ({
      kind,
      records: await session.context.resources(kind, undefined, signal),
    })),
  );
  const problems = new Set<string>();
  const queries = lists.flatMap(({ kind, records }) => {
    if (!records.ok) {
      problems.add(`The ${kinds[kind].plural} could not be read: ${records.message}`);
      return [];
    }
    return records.value.flatMap((record) =>
      aplLocations(kind, record).map(({ apl, owner }) => ({
        name: `${kinds[kind].noun} ${[textAt(record, kinds[kind].name), owner].filter(Boolean).join(', ')}`,
        apl,
      })),
    );
  });
  return { queries, problems: [...problems] };
}

// Runs a query, or returns more rows of an earlier answer.
import { object, optional, text } from '../../../api/src/schema.ts';
import { failedAnswer, type ToolAnswer } from '../answer.ts';
import { handleOf } from '../keptAnswers.ts';
import { ANSWER_TOKENS_MAX, QUERY_CHARACTERS_MAX } from '../limits.ts';
import { prepareRun } from '../prepareRun.ts';
import { ask } from '../run.ts';
import { writeAnswer } from '../runText.ts';
import type { AgentSession } from '../session.ts';
import { writeTable } from '../tableText.ts';
import { tool } from '../tool.ts';

export const rangeInput = {
  from: optional(
    text('now-1h, now-7d or RFC 3339. Default: the range of the conditions on _time, else now-1h.'),
  ),
  to: optional(text('Default: now.')),
};

export const queryInput = (description?: string) =>
  text(description, { minLength: 1, maxLength: QUERY_CHARACTERS_MAX });

export const runQuery = tool({
  name: 'run_query',
  title: 'Run Query',
  description:
    'Run an APL query. Returns columns with summaries, the first rows and a handle for more. Aggregate, or end with take.',
  input: object({
    query: optional(queryInput()),
    ...rangeInput,
    more: optional(text('Handle of an earlier answer, in place of query.')),
  }),
  async run(session, { query, from, to, more }, signal) {
    if (more !== undefined) return moreRows(session, more);
    if (query === undefined) return failedAnswer("Set 'query', or 'more' for further rows.");
    const prepared = await prepareRun(session, { query, from, to }, signal);
    if (!prepared.ok) return failedAnswer(prepared.message);
    const answer = await ask(session, prepared.value, signal);
    if (!answer.ok) return failedAnswer(answer.message);
    return { text: writeAnswer(session, answer.value, prepared.value) };
  },
});

function moreRows(session: AgentSession, handle: string): ToolAnswer {
  const found = session.answers.find(handle);
  if (found === undefined) {
    return failedAnswer(
      'There are no rows for this handle. Only the latest answers are kept: run the query again.',
    );
  }
  const { key, table, firstRow } = found;
  const { text: rows, nextRow } = writeTable(table, firstRow, ANSWER_TOKENS_MAX - 200);
  const isLast = nextRow >= (table.columns[0]?.length ?? 0);
  return {
    text: isLast
      ? rows
      : `${rows} For more, call run_query with more: "${handleOf(key, nextRow)}".`,
  };
}

// Writes the answer of a run: what was read, each table, and a handle for the rows that were cut.

import { TOTALS_TABLE } from '../../api/src/resources/result.ts';
import { counted, grouped } from '../../formats/src/counts.ts';
import { printable } from '../../language/src/index.ts';
import { shortened } from './answer.ts';
import type { QueryAnswer } from './context.ts';
import { ANSWER_TOKENS_MAX, ROWS_MAX, RUN_TIMEOUT_MS, RUNS_MAX } from './limits.ts';
import type { PreparedRun } from './prepareRun.ts';
import type { AgentSession } from './session.ts';
import { rowCountOf, writeTable } from './tableText.ts';

/** Tokens of the lines ahead of the tables, and of the handles. */
const HEAD_TOKENS = 700;

const MESSAGES_MAX = 5;
const MESSAGE_CHARACTERS_MAX = 200;

const NO_MATCH =
  'No event matched. Set an earlier from if the range has no events, compare the conditions with the values of get_fields (== respects case), or find the stage that drops the rows with run_to_stage.';

const RANGE_SOURCES = { call: '', query: ', from the query', default: ', the default' } as const;

export function writeAnswer(session: AgentSession, answer: QueryAnswer, run: PreparedRun): string {
  const tables = answer.tables.filter(({ fields }) => fields.length > 0);
  const [first] = tables;
  const lines = [statusLine(answer, run), ...messageLines(answer)];
  if (first !== undefined && rowCountOf(first) === ROWS_MAX) {
    lines.push(
      `${counted(rowCountOf(first), 'row')} received. Without a limit in the query, at most ${grouped(ROWS_MAX)} are.`,
    );
  }
  if (run.datasets.length > 0 && answer.rowsMatched === 0) lines.push(NO_MATCH);
  if (tables.length === 0) return `${lines.join('\n')}\nThe answer has no columns.`;
  // The totals of a time series are few rows, so the first table gets most of the budget.
  const rest = tables.length - 1;
  const budget = ANSWER_TOKENS_MAX - HEAD_TOKENS;
  for (const [index, table] of tables.entries()) {
    const share = rest === 0 ? 1 : index === 0 ? 0.6 : 0.4 / rest;
    if (tables.length > 1) lines.push(table.name === TOTALS_TABLE ? 'Totals:' : `Table ${index}:`);
    const { text, nextRow } = writeTable(table, 0, Math.floor(budget * share));
    lines.push(text);
    if (nextRow < rowCountOf(table)) {
      const handle = session.answers.keep(table, nextRow);
      lines.push(`For more, call run_query with more: "${handle}".`);
    }
  }
  return lines.join('\n');
}

/** Describes the run: range, rows, time and limits. */
export function statusLine(answer: QueryAnswer, { range }: PreparedRun): string {
  const partial = answer.isPartial ? ' The answer is partial.' : '';
  return `Range: ${range.from} to ${range.to}${RANGE_SOURCES[range.source]}. Rows examined: ${grouped(answer.rowsExamined)}, matched: ${grouped(answer.rowsMatched)}. Time: ${Math.round(answer.elapsedMilliseconds)} ms. Limits: ${RUN_TIMEOUT_MS / 1_000} s, ${RUNS_MAX} runs at once.${partial}`;
}

function messageLines({ messages }: QueryAnswer): string[] {
  return messages
    .slice(0, MESSAGES_MAX)
    .map((message) => `Notice: ${printable(shortened(message, MESSAGE_CHARACTERS_MAX))}`);
}

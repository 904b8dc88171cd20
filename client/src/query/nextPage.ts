/** The question for the rows that follow those of an answer: the same query, from the cursor of its last row. */
import { isTimestamp } from '../../../api/src/plain.ts';
import type { AnswerTable } from '../../../table/src/answer.ts';
import type { HeldAnswer } from '../answers/heldAnswer.ts';
import type { Question } from '../service/ask.ts';
import { timestamp } from '../time/timeRange.ts';
import { unitSeconds } from '../words/timeText.ts';

const TIME = '_time';

/** Undefined where the answer has no cursor, since its rows are not events in the order of time. */
export function nextPage({ about, head }: HeldAnswer): Question | undefined {
  const [table] = head.tables;
  if (table === undefined || table.rowCount === 0) return undefined;
  const [first] = table.order;
  const ascending = first?.field === TIME && first.desc !== true;
  const cursor = ascending ? head.cursors.newest : head.cursors.oldest;
  if (cursor === undefined) return undefined;
  const { query: apl, variables } = about;
  return {
    apl,
    ...answerRange(about, table),
    ...(variables && { variables }),
    cursor,
    includeCursor: false,
  };
}

/** The range of an answer as points in time: one that moved on with the clock would lose rows at its start. */
export function answerRange(
  { startTime, endTime, askedAt }: HeldAnswer['about'],
  { range }: AnswerTable,
): { readonly startTime: string; readonly endTime: string } {
  return {
    startTime: range?.start ?? fixed(startTime, askedAt),
    endTime: range?.end ?? fixed(endTime, askedAt),
  };
}

/** A time as it was sent, as the point that it was; what is not understood stays as it is. */
function fixed(sent: string, askedAt: number): string {
  if (isTimestamp(sent)) return sent;
  const [, amount = '0', unit = 's'] = /^now(?:-(\d+)([smhdw]))?$/.exec(sent) ?? [];
  const seconds = unitSeconds[unit];
  if (!sent.startsWith('now') || seconds === undefined) return sent;
  const milliseconds = askedAt - Number(amount) * seconds * 1_000;
  return timestamp(BigInt(milliseconds) * 1_000_000n) ?? sent;
}

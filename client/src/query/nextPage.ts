/** Builds the request for the rows that follow an answer's rows: the same query, from the cursor of its last row. */
import { isTimestamp } from '../../../api/src/plain.ts';
import type { AnswerTable } from '../../../table/src/answer.ts';
import type { HeldAnswer } from '../answers/heldAnswer.ts';
import type { Question } from '../service/ask.ts';
import { type RangeParameters, timestamp } from '../time/timeRange.ts';
import { unitSeconds } from '../words/timeText.ts';

const TIME = '_time';

/** Returns the request; undefined if the answer has no cursor, because its rows aren't events in time order. */
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

/** Returns the answer's range with absolute times. A relative range would lose rows at its start as time passes. */
export function answerRange(
  { startTime, endTime, askedAt }: HeldAnswer['about'],
  { range }: AnswerTable,
): RangeParameters {
  return {
    startTime: range?.start ?? fixed(startTime, askedAt),
    endTime: range?.end ?? fixed(endTime, askedAt),
  };
}

/** Converts a relative time to the time that it denoted when it was sent. Returns other text unchanged. */
function fixed(sent: string, askedAt: number): string {
  if (isTimestamp(sent)) return sent;
  const [, amount = '0', unit = 's'] = /^now(?:-(\d+)([smhdw]))?$/.exec(sent) ?? [];
  const seconds = unitSeconds[unit];
  if (!sent.startsWith('now') || seconds === undefined) return sent;
  const milliseconds = askedAt - Number(amount) * seconds * 1_000;
  return timestamp(BigInt(milliseconds) * 1_000_000n) ?? sent;
}

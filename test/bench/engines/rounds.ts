/** A question to both engines in turn, warm, with the same answer: the round in the middle of seven. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Deployment } from '../local/deployment.ts';
import type { Range } from '../local/events.ts';
import { type Measure, measure, middle, timed } from '../measure.ts';
import { answerRows, assertSame } from './rows.ts';

export const ROUNDS = 7;

export interface Question {
  readonly name: string;
  readonly apl: string;
  /** The SQL, with the condition on the time as `RANGE`. Its columns are named as those of the APL. */
  readonly sql: string;
  /** The ratio to keep; absent where another row has the bar. */
  readonly bar?: number;
  /** Milliseconds after the first round for work that it starts, such as building filters. */
  readonly settleMs?: number;
  /** Columns to compare, all of the SQL's unless given: of rows with equal counts each side may keep others. */
  readonly compared?: readonly string[];
}

/** The engine to compare with. */
export interface Peer {
  /** Runs a statement and returns its time in milliseconds. */
  run(sql: string): Promise<number>;
  /** Returns the rows of a statement as objects by column name. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
}

/** The measure of a question, after a first round that warms both up and compares what they answer. */
export async function questionMeasure(
  { ours, theirs }: { readonly ours: Deployment; readonly theirs: Peer },
  { name, apl, sql, bar, compared, settleMs = 0 }: Question,
  range: Range,
): Promise<Measure> {
  const text = bounded(sql, range);
  assertSame(name, answerRows(await ours.query(apl, range)), await theirs.rows(text), compared);
  await pause(settleMs);
  const rounds: Measure[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ourTime = await timed(() => ours.query(apl, range));
    const theirTime = await theirs.run(text);
    rounds.push(measure('engines', name, 'ms', ourTime, theirTime, bar));
  }
  return middle(rounds);
}

/** The SQL of a question about the events of a range. */
export function bounded(sql: string, { startTime, endTime }: Range): string {
  const time = (text: string) => `toDateTime64('${text.slice(0, -1)}', 9, 'UTC')`;
  return sql.replaceAll('RANGE', `_time >= ${time(startTime)} AND _time < ${time(endTime)}`);
}

/**
 * Answers against SQL in-process: the six questions, a large table, and planning. The SQL runs over the same
 * file, that is a copy of the deployment's, and beside it over DuckDB's own table, which is packed as DuckDB
 * does unless told otherwise. All take turns, so that what else the machine does falls on each.
 */
import { statSync } from 'node:fs';
import { type Measure, measure, median, middle, timed } from '../measure.ts';
import type { Deployment } from './deployment.ts';
import type { Range } from './events.ts';
import { type Peer, quoted, within } from './peer.ts';
import { planningTimes } from './planning.ts';
import { type Question, questions } from './queries.ts';

const rounds = 23;
/** The first rounds warm both up. */
const warmUps = 2;
/** Short questions are asked more often, until they have taken so long. */
const leastMs = 8_000;
const largeRows = 100_000;

export interface Sides {
  readonly ours: Deployment;
  readonly theirs: Peer;
  /** What is asked about. */
  readonly range: Range;
}

/** The six questions, less the trip over HTTP, and planning beside the fastest of them. */
export async function questionMeasures(sides: Sides, database: string): Promise<Measure[]> {
  const same = await sides.theirs.attach(database);
  const [overSame, overOwn]: [Measure[], Measure[]] = [[], []];
  const statements: number[] = [];
  for (const question of questions) {
    const done = await turns(question, sides, same);
    const trip = median(done.map((round) => round.trip));
    const { name } = question;
    const less = `${name}, less the trip of ${trip.toFixed(2)} ms`;
    const over = (side: 'sameFile' | 'ownTable', label: string, bar?: number): Measure => {
      statements.push(median(done.map((round) => round[side])));
      return middle(
        done.map((round) =>
          measure('local', label, 'ms', Math.max(0, round.query - trip), round[side], bar),
        ),
      );
    };
    overSame.push(over('sameFile', less, 1.15));
    overOwn.push(over('ownTable', `${name}, against a table of DuckDB's own`));
  }
  const planning = Math.max(...planningTimes(sides.range));
  const fastest = Math.min(...statements);
  return [
    ...overSame,
    measure('local', 'slowest planning beside the fastest of six', 'ms', planning, fastest, 1 / 20),
    ...overOwn,
  ];
}

/** Each side in turn, many times. */
async function turns(
  { name, apl, sql }: Question,
  { ours, theirs, range }: Sides,
  same: string,
): Promise<Turn[]> {
  const [sameText, ownText] = [same, 'events'].map((table) => sql(table, within(range))) as [
    string,
    string,
  ];
  const answer = tableOf(await ours.query(apl, range));
  for (const text of [sameText, ownText]) {
    const { length } = await theirs.rows(text);
    if (answer.rows !== length) {
      throw new Error(`${name}: ${answer.rows} rows here, ${length} there: ${text}`);
    }
  }
  const done: Turn[] = [];
  const started = performance.now();
  for (let round = 0; round < rounds || performance.now() - started < leastMs; round++) {
    const trip = await timed(() => ours.emptyQuery());
    const query = await timed(() => ours.query(apl, range));
    const sameFile = await timed(() => theirs.rows(sameText));
    const ownTable = await timed(() => theirs.rows(ownText));
    done.push({ trip, query, sameFile, ownTable });
  }
  return done.slice(warmUps);
}

/** Milliseconds of the way there and back, of the query with it, and of the statement over either file. */
interface Turn {
  readonly trip: number;
  readonly query: number;
  readonly sameFile: number;
  readonly ownTable: number;
}

/** A tabular answer of 100,000 events against the same rows as a file of JSON. `range` has so many. */
export async function largeMeasures(sides: Sides, file: string): Promise<Measure[]> {
  const { ours, theirs, range } = sides;
  const apl = `['events'] | limit ${largeRows}`;
  const statement = `COPY (SELECT * FROM events WHERE ${within(range)} ORDER BY "_time" DESC LIMIT ${largeRows}) TO ${quoted(file)} (FORMAT json)`;
  const done: Measure[] = [];
  for (let round = 0; round < rounds; round++) {
    let answer: Buffer = Buffer.alloc(0);
    const query = await timed(async () => {
      answer = await ours.query(apl, range);
    });
    const copy = await timed(() => theirs.run(statement));
    if (round === 0) {
      const { rows } = tableOf(answer);
      if (rows !== largeRows || statSync(file).size < largeRows) {
        throw new Error(`an answer of ${rows} rows instead of ${largeRows}`);
      }
    }
    done.push(measure('local', 'answer of 100,000 rows', 'ms', query, copy, 2));
  }
  return [middle(done.slice(warmUps))];
}

/** The rows of a tabular answer. */
export function tableOf(answer: Buffer): { readonly rows: number; readonly first: unknown } {
  const [table] = JSON.parse(answer.toString()).tables;
  return { rows: table.columns[0].length, first: table.columns[0][0] };
}

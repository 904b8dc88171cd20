/** Limits the size of a plan. A stage that exceeds a limit is rejected with the code `too-complex`. */
import { grouped } from '../../../formats/src/counts.ts';
import type { Span } from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import { depthOf } from './relation.ts';
import type { Table } from './table.ts';

export interface PlanLimits {
  /** The maximum total number of columns in all stages, which determines the planning time. */
  readonly cells: number;
  /** The maximum weight of a statement; see `engineWeight`. */
  readonly weight: number;
  /** The maximum depth of nested SELECTs; `MAX_SELECTS` by default. */
  readonly selects?: number;
}

/** DuckDB's planning takes 3 to 20 µs per unit of weight, and mostly can't be interrupted. */
export const PLAN_LIMITS: PlanLimits = { cells: 200_000, weight: 1_000_000 };

/** Long requests may weigh more, because they are mostly constants, which are cheap. */
const WEIGHT_PER_SENT_CHARACTER = 4;

const CELLS_OF_WRITTEN_COLUMN = 5;

/** DuckDB pushes filters into each level of nested aggregations twice, which doubles the time. */
const MAX_GROUPINGS = 14;

/** DuckDB's parser can handle this many nested SELECTs in most queries. */
const MAX_SELECTS = 240;

/** The maximum number of rows made from one stored row. Uniting a `let` with itself doubles the number. */
const MAX_COPIES = 10_000;

/** The maximum number of parts per stage. DuckDB takes quadratic time for them. */
const MAX_OF_STAGE = 1_000;

export class PlanSize {
  readonly weight: number;
  readonly #cells: number;
  readonly #selects: number;
  #usedCells = 0;
  #named = 0;

  /** `sent` is the number of characters in the request's query and variables. */
  constructor(limits: PlanLimits, sent: number) {
    this.weight = limits.weight + WEIGHT_PER_SENT_CHARACTER * sent;
    this.#cells = limits.cells;
    this.#selects = limits.selects ?? MAX_SELECTS;
  }

  /** Adds the length of a variable or scalar `let`. Call this for each use, because each use inlines the SQL. */
  addNamed(length: number, at: Span): void {
    this.#named += length;
    if (this.#named > this.weight) throw tooLarge(at);
  }

  add({ relation, columns }: Table, at: Span): void {
    this.#spend(1 + columns.length, at);
    const { groupings, selects, copies } = depthOf(relation);
    if (groupings > MAX_GROUPINGS) throw tooDeep(at, 'aggregations', MAX_GROUPINGS);
    if (selects > this.#selects) throw tooDeep(at, 'stages that compute columns', this.#selects);
    if (copies > MAX_COPIES) throw tooManyCopies(at);
  }

  addOfStage(count: number, at: Span): void {
    if (count <= MAX_OF_STAGE) return;
    const message = `This stage has ${count} parts. The maximum is ${MAX_OF_STAGE}. Split it into several stages.`;
    throw new PlanError('too-complex', at, message);
  }

  /** Counts columns that the SQL lists individually. Most stages pass on columns with `*`. */
  addWritten(columns: number, at: Span): void {
    this.#spend(columns * CELLS_OF_WRITTEN_COLUMN, at);
  }

  #spend(cells: number, at: Span): void {
    this.#usedCells += cells;
    if (this.#usedCells > this.#cells) throw tooLarge(at);
  }
}

export function tooLarge(at: Span): PlanError {
  const message =
    'The query becomes too large to run. Keep fewer columns with project, use fewer joins, unions and search terms, or split it into several queries.';
  return new PlanError('too-complex', at, message);
}

function tooDeep(at: Span, what: string, max: number): PlanError {
  const message = `More than ${max} ${what} follow each other here. Merge them, or split the query into several.`;
  return new PlanError('too-complex', at, message);
}

function tooManyCopies(at: Span): PlanError {
  const message = `Unions and joins of the same tables turn each stored row into more than ${grouped(MAX_COPIES)} rows here. Use fewer of them, or summarize or limit the rows before.`;
  return new PlanError('too-complex', at, message);
}

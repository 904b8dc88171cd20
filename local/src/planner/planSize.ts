/** How large a plan may be. What is past the limits is refused with `too-complex`, at the stage that passes them. */
import type { Span } from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import { depthOf } from './relation.ts';
import type { Table } from './table.ts';
import { withCommas } from './withCommas.ts';

export interface PlanLimits {
  /** The columns of all stages together, which planning takes time for. */
  readonly cells: number;
  /** The weight of a statement, as `statement.ts` measures it, which DuckDB's planning takes time for. */
  readonly weight: number;
  /** SELECTs inside each other; `MAX_SELECTS` if absent. */
  readonly selects?: number;
}

/**
 * DuckDB plans a statement without listening to an interrupt for most of the time, and needs 3 to 20 µs for each
 * unit of weight, so that the greatest statement is planned in a few seconds.
 */
export const PLAN_LIMITS: PlanLimits = { cells: 200_000, weight: 1_000_000 };

/** What the request itself sends is mostly constants, which cost DuckDB little. */
const WEIGHT_PER_SENT_CHARACTER = 4;

const CELLS_OF_WRITTEN_COLUMN = 5;

/** DuckDB pushes filters down twice at each level of aggregations over each other, so its time doubles with each. */
const MAX_GROUPINGS = 14;

/** More SELECTs inside each other than this are too deep for DuckDB's parser in most queries. */
const MAX_SELECTS = 240;

/**
 * Rows that one stored row becomes by unions and joins. A let that is united with itself doubles its rows, so thirty
 * lets make more than any time suffices for; the engine materializes them, until memory ends.
 */
const MAX_COPIES = 10_000;

/** Aggregates, groups or parts of a pattern in one stage: DuckDB's time grows with their square. */
const MAX_OF_STAGE = 1_000;

/** Counts what is planned, and refuses what is too much. */
export class PlanSize {
  /** The weight that a statement may have. */
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

  /** Counts SQL that is written wherever the query names it: that of a variable or of a scalar `let`. */
  addNamed(length: number, at: Span): void {
    this.#named += length;
    if (this.#named > this.weight) throw tooLarge(at);
  }

  /** Counts the table that a source or a stage gives. */
  add({ relation, columns }: Table, at: Span): void {
    this.#spend(1 + columns.length, at);
    const { groupings, selects, copies } = depthOf(relation);
    if (groupings > MAX_GROUPINGS) throw tooDeep(at, 'aggregations', MAX_GROUPINGS);
    if (selects > this.#selects) {
      throw tooDeep(at, 'stages that compute columns', this.#selects);
    }
    if (copies > MAX_COPIES) throw tooManyCopies(at);
  }

  /** Counts the aggregates, groups or parts of a pattern in a stage. */
  addOfStage(count: number, at: Span): void {
    if (count <= MAX_OF_STAGE) return;
    const message = `This stage has ${count} parts; ${MAX_OF_STAGE} is the most. Split it into several stages.`;
    throw new PlanError('too-complex', at, message);
  }

  /** Counts columns that a join or a union writes one by one, where other stages write `*`. */
  addWritten(columns: number, at: Span): void {
    this.#spend(columns * CELLS_OF_WRITTEN_COLUMN, at);
  }

  /** Counts columns that are worked on. */
  #spend(cells: number, at: Span): void {
    this.#usedCells += cells;
    if (this.#usedCells > this.#cells) throw tooLarge(at);
  }
}

export function tooLarge(at: Span): PlanError {
  return new PlanError(
    'too-complex',
    at,
    'The query becomes too large to run. Keep fewer columns with project, use fewer joins, unions and search terms, or split it into several queries.',
  );
}

function tooDeep(at: Span, what: string, most: number): PlanError {
  return new PlanError(
    'too-complex',
    at,
    `More than ${most} ${what} follow each other here. Merge them, or split the query into several.`,
  );
}

function tooManyCopies(at: Span): PlanError {
  return new PlanError(
    'too-complex',
    at,
    `Unions and joins of the same tables turn each stored row into more than ${withCommas(MAX_COPIES)} rows here. Use fewer of them, or summarize or limit the rows before.`,
  );
}

/** The documentation of a catalog row. It is separate from the catalog, because the analysis doesn't use it. */
import type { WordRow } from '../catalog/types.ts';

export interface Prose {
  /** A short description of the function or operator, in one sentence if possible. */
  readonly summary: string;
  /** An example: an expression, or a query for a tabular operator. */
  readonly example: string;
  /** An easily missed detail, such as a difference from Kusto. */
  readonly note?: string;
}

export interface OperatorProse extends Prose {
  /** The syntax on one line, with `…` for repetition. */
  readonly syntax: string;
  /** The LSP snippet that completion inserts, including the name. */
  readonly snippet: string;
  /** Keywords that can follow an item, such as `asc`. */
  readonly modifiers?: readonly WordRow[];
  /** The description of each clause, such as `by`. */
  readonly clauses?: Readonly<Record<string, string>>;
}

/** A function's documentation. Rows must contain only literals, so that bundlers can drop unused tables. */
export type ProseRow = readonly [summary: string, example: string, note?: string];

export function says(summary: string, example: string, note?: string): Prose {
  return note === undefined ? { summary, example } : { summary, example, note };
}

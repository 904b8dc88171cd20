/** The shape of what is said of a row of the catalog. What analyses a query has no use for it, so it is kept apart. */
import type { WordRow } from '../catalog/types.ts';

export interface Prose {
  /** One sentence: what it gives. */
  readonly summary: string;
  /** One expression, or for a tabular operator one query, that shows it. */
  readonly example: string;
  /** What surprises a user of Kusto, when there is such a thing. */
  readonly note?: string;
}

export interface OperatorProse extends Prose {
  /** Its shape in one line, with `…` for what repeats. */
  readonly syntax: string;
  /** What completion inserts when the operator is chosen, its name included, as an LSP snippet. */
  readonly snippet: string;
  /** Words that may follow one of its items, such as `asc`. */
  readonly modifiers?: readonly WordRow[];
  /** What stands behind each of its words, such as `by`. */
  readonly clauses?: Readonly<Record<string, string>>;
}

export function says(summary: string, example: string, note?: string): Prose {
  return note === undefined ? { summary, example } : { summary, example, note };
}

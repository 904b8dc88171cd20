/** How deep and how long a query may be before the parser stops reading it; real queries stay far below. */

/** Brackets inside brackets. */
export const maxNesting = 250;

/** Expressions inside expressions, so that whoever walks a tree may recurse. */
export const maxHeight = 1_000;

/** An `and`/`or` chain longer than this is built as a balanced tree; it means the same and stays flat. */
export const maxFlatChain = 32;

/** Syntax problems told of one query; a text with more is not a query. */
export const maxProblems = 200;

/** Looks at one token before the parser is taken to be stuck and is moved on. */
export const maxLooks = 10_000;

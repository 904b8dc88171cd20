/** Limits on the nesting and length of queries. Real queries stay far below these limits. */

/** The maximum nesting depth of brackets. */
export const maxNesting = 250;

/** The maximum height of an expression's tree, so that recursive code doesn't overflow the stack. */
export const maxHeight = 1_000;

/** The maximum length of a flat `and` or `or` chain. A longer chain becomes a balanced tree. */
export const maxFlatChain = 32;

/** The maximum number of syntax problems per query. Text with more problems probably isn't a query. */
export const maxProblems = 200;

/** The maximum number of lookups of one token. After this number, the parser is considered stuck. */
export const maxLooks = 10_000;

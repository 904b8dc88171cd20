/** The limits of a response body. A body beyond one of them is rejected. */

/** The maximum nesting depth. Parsing deeper values would overflow the stack. */
export const depthMax = 500;
/** The maximum number of bytes outside cells. They are parsed in one step. */
export const headBytesMax = 64 * 1024 * 1024;
/** The maximum number of columns. An empty column takes two bytes of the body but much more memory. */
export const columnsMax = 100_000;
export const tablesMax = 10_000;

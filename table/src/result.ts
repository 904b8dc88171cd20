/** Values and notices in results, shared by the store, the page, the clipboard and exports. */

/** A cell's exact value. Integers beyond 2^53 are bigint; null means null or missing. */
export type Cell = null | boolean | number | bigint | string | readonly unknown[] | object;

/** A note about a result, such as the default limit. */
export interface ResultNotice {
  readonly severity: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
}

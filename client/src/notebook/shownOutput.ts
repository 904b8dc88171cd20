// The data of a cell's output, for the page that draws it.
import type { TabId } from '../answers/tabs.ts';
import type { KeptColumn } from './file.ts';

export const outputMime = 'application/vnd.aplomb.result+json';

export interface ShownOutput {
  /** The tab with the result or the failure; absent where rows were saved. */
  readonly tab?: TabId;
  /** Why the query failed, for a page that outlives the tab. */
  readonly failure?: string;
  readonly saved?: SavedRows;
}

export interface SavedRows {
  readonly columns: readonly KeptColumn[];
  /** By row and column: text on one line, null for null. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly rowCount: number;
  /** The run in words, each a part of a line; empty in a file of an earlier version. */
  readonly run: readonly string[];
}

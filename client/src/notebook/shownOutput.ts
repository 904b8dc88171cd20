// A cell output's data, for the page that draws it.
import type { TabId } from '../answers/tabs.ts';
import type { KeptColumn } from './file.ts';

export const outputMime = 'application/vnd.aplomb.result+json';

export interface ShownOutput {
  /** The tab with the result or failure; absent if the output only has saved rows. */
  readonly tab?: TabId;
  /** The failure's message, in case the tab no longer exists. */
  readonly failure?: string;
  readonly saved?: SavedRows;
}

export interface SavedRows {
  readonly columns: readonly KeptColumn[];
  /** The rows' cells as single-line text, or null. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly rowCount: number;
  /** The parts of the line that describes the run; empty in files written by earlier versions. */
  readonly run: readonly string[];
}

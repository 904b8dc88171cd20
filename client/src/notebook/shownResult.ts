// What the output of a cell says to the page that draws it.
import type { KeptOutput } from './file.ts';

export const resultMime = 'application/vnd.aplomb.result+json';

/** Either the answer in the results store, or the rows that were saved. */
export interface ShownResult {
  readonly answer?: string;
  readonly kept?: KeptOutput;
  readonly rowCount: number;
}

// The notebook file format: JSON with a fixed key order and one text line per source line, so that files diff well.
import type { QuerySettings } from '../deployments/querySettings.ts';

/** The version that is written, and the only one that can be read. */
export const fileVersion = 1;

/** Members unknown to this version. Saving preserves them. */
export type OtherMembers = Readonly<Record<string, unknown>>;

export interface NotebookFile extends QuerySettings {
  readonly keepOutputs: boolean;
  readonly others: OtherMembers;
  readonly cells: readonly CellFile[];
}

export interface CellFile extends QuerySettings {
  readonly kind: 'apl' | 'markdown' | 'code';
  /** The language ID; only for cells of kind `code`. */
  readonly language?: string;
  readonly source: string;
  readonly outputs: readonly KeptOutput[];
  readonly others: OtherMembers;
}

/** A result's first rows, saved with the cell. */
export interface KeptOutput {
  readonly columns: readonly KeptColumn[];
  /** The rows' cells as exact text, or null. Times are RFC 3339 in UTC, and objects and arrays are JSON. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly rowCount: number;
  /** The run that returned the rows; absent in files written by earlier versions. */
  readonly run?: KeptRunFacts;
}

/** Details about the run, which a reader needs to interpret the saved rows. */
export interface KeptRunFacts {
  /** The time of the request, as RFC 3339 in UTC with whole seconds. */
  readonly time: string;
  /** The time range: a phrase such as `last 1 hour`, or two times in UTC. */
  readonly range: string;
  readonly deployment: string;
  /** The parameter values, such as `least = 7`; absent if there are none. */
  readonly parameters?: string;
}

export interface KeptColumn {
  readonly name: string;
  /** The service's name for the type, such as `integer`. */
  readonly type: string;
}

/** An error that prevents a file from being opened as a notebook. Its message is shown to the user. */
export class NotebookFileError extends Error {
  override readonly name = 'NotebookFileError';
}

// The file format of notebooks: plain JSON that diffs well. Keys have a fixed order, a cell's source is a list of
// lines, and nothing depends on when or where the file was saved. Saved rows have the time of their run.

/** The version that is written, and the only one that can be read. */
import type { QuerySettings } from '../deployments/querySettings.ts';

export const fileVersion = 1;

/** Members that are unknown to this version. They are written back unchanged. */
export type OtherMembers = Readonly<Record<string, unknown>>;

export interface NotebookFile extends QuerySettings {
  readonly keepOutputs: boolean;
  readonly others: OtherMembers;
  readonly cells: readonly CellFile[];
}

export interface CellFile extends QuerySettings {
  readonly kind: 'apl' | 'markdown' | 'code';
  /** The language ID of a cell of kind `code`. */
  readonly language?: string;
  readonly source: string;
  readonly outputs: readonly KeptOutput[];
  readonly others: OtherMembers;
}

/** The first rows of a result, saved with its cell. */
export interface KeptOutput {
  readonly columns: readonly KeptColumn[];
  /** By row and column: the exact text, null for null. Times are RFC 3339 in UTC, objects and arrays JSON. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly rowCount: number;
  /** The run that gave the rows; absent in a file of an earlier version. */
  readonly run?: KeptRunFacts;
}

/** The facts without which rows cannot be read later. */
export interface KeptRunFacts {
  /** When the query was sent: RFC 3339 in UTC, to the second. */
  readonly time: string;
  /** In words, such as `last 1 hour`, or two times in UTC. */
  readonly range: string;
  readonly deployment: string;
  /** The values of parameters in words, such as `least = 7`; absent where the query has none. */
  readonly parameters?: string;
}

export interface KeptColumn {
  readonly name: string;
  /** The wire type, such as `integer`. */
  readonly type: string;
}

/** Why a file cannot be opened as a notebook, as a message for the person. */
export class NotebookFileError extends Error {
  override readonly name = 'NotebookFileError';
}

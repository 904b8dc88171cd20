/**
 * The interface to the engine that stores events, with the settings and fields of their datasets. `store/datasets.ts`
 * keeps these in memory and locks them, and `store/ingest/` reads bodies with DuckDB, whichever engine stores the rows.
 */
import type { Dataset as DatasetDocument, DeclaredDataset } from '../../../api/src/index.ts';
import type { Addition, Dataset, FieldDetails } from '../store/datasetRecords.ts';
import type { DatasetLayout, StoredField } from '../store/layout.ts';
import type { Log } from '../store/storedJson.ts';
import type { Session } from './duckdb/database/session.ts';
import type { TimeBounds } from './timeBounds.ts';

/** Rows that DuckDB computes from the body of a request. */
export interface ComputedRows {
  /** The columns of the dataset's table, unquoted. */
  readonly columns: readonly string[];
  /** The SQL of each column's value. */
  readonly values: readonly string[];
  /** The FROM clause with its conditions. */
  readonly from: string;
  /** The maximum number of rows. */
  readonly countMax: number;
}

/** Row numbers from one numbering. -1 is the position before the first row. */
export interface NumberedRows {
  readonly numbering: number;
  readonly rows: readonly bigint[];
}

export interface StoredSize {
  readonly events: number;
  /** The size of the events on disk in bytes, as far as the engine has written them to the dataset's table. */
  readonly storedBytes: number;
}

export interface DatasetSize extends StoredSize {
  /** The size of the events as JSON, in bytes, estimated from a sample. */
  readonly inputBytes: number;
}

export interface TrimResult {
  readonly deleted: number;
  /** The dataset if the trim has replaced its table. */
  readonly replaced?: Dataset;
}

/** Datasets with a source that a file declares. */
export interface DeclaredDatasets {
  readonly file: string;
  readonly datasets: readonly DeclaredDataset[];
}

export interface EventStore {
  load(log: Log): Promise<Dataset[]>;
  /** Reads a dataset that another process may have changed. Absent if only this process can change the datasets. */
  readonly reload?: (name: string) => Promise<Dataset | undefined>;
  /** Returns undefined if a dataset of this name exists. */
  create(document: DatasetDocument): Promise<Dataset | undefined>;
  /** Deletes the dataset and its events. Calls `hide` before readers can notice the deletion. */
  delete(dataset: Dataset, hide: () => void): Promise<void>;
  /** Stores changed settings. */
  saveDocument(dataset: Dataset, document: DatasetDocument): Promise<void>;
  saveDetails(dataset: Dataset, field: StoredField, details: FieldDetails): Promise<void>;
  /** Adds columns in the transaction of `session`. */
  addColumns(
    session: Session,
    dataset: Dataset,
    additions: readonly Addition[],
  ): Promise<DatasetLayout>;
  /** Drops columns that contain only nulls. Returns their names. */
  dropUnused(dataset: Dataset): Promise<ReadonlySet<string>>;
  /** Deletes the events before `before`, in nanoseconds since 1970. `exclusively` runs work with the dataset locked. */
  trim(
    dataset: Dataset,
    before: bigint,
    exclusively: (work: (current: Dataset) => Promise<TrimResult>) => Promise<number>,
  ): Promise<number>;
  /** Converts row numbers of a cursor after trims. */
  currentRows(numbered: NumberedRows): Promise<NumberedRows>;
  /** Runs `work`, whose added columns and rows are stored together if the engine has transactions. */
  transaction<T>(session: Session, work: () => Promise<T>): Promise<T>;
  /**
   * Stores rows and returns their number. Calls `onRead` with this number when all rows are read but none is stored. If
   * `onRead` throws, no row is stored.
   */
  insert(
    session: Session,
    layout: DatasetLayout,
    rows: ComputedRows,
    onRead?: (count: number) => void,
  ): Promise<number>;
  readStoredSize(layout: DatasetLayout, signal: AbortSignal): Promise<StoredSize>;
  readSize(layout: DatasetLayout, signal: AbortSignal): Promise<DatasetSize>;
  /** Returns the times of the oldest and newest event, or undefined if there is no event. */
  readBounds(layout: DatasetLayout, signal: AbortSignal): Promise<TimeBounds | undefined>;
  /** Returns the number of the engine's blocks that contain events. */
  countBlocks(layout: DatasetLayout, signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

/** What the ingest page is given: words and facts ready to be drawn. Text of files is made visible beforehand. */
import type {
  ColumnType,
  Compression,
  Encoding,
  EventFormat,
  TimeSettings,
} from '../../../../ingest/src/settings.ts';

export type Phase = 'preview' | 'running' | 'report';
export type Mode = 'ingest' | 'check';

export interface Screen {
  readonly phase: Phase;
  /** Of the run or its report. */
  readonly mode: Mode;
  readonly deployment: string;
  readonly production: boolean;
  readonly files: readonly FileItem[];
  /** The file that is shown. */
  readonly shown: number;
  readonly target: TargetView;
  /** `2 files, 6.1 MB`. */
  readonly amount: string;
  /** Why nothing can be sent yet. */
  readonly blocked?: string;
  /** What the person should know about the files as a whole. */
  readonly notice?: string;
}

export interface FileItem {
  readonly id: number;
  readonly name: string;
  /** The folder below the one that was chosen, where there is one. */
  readonly folder?: string;
  /** Where it leads, if it is a link: `link to b.json`. */
  readonly link?: string;
  readonly size: string;
  readonly included: boolean;
  /** In a word or two: `CSV`, `reading…`, `1,000 events`. */
  readonly status: string;
  readonly state: 'reading' | 'ready' | 'problem' | 'waiting' | 'running' | 'done' | 'warning';
}

export interface TargetView {
  readonly dataset: string;
  readonly problem?: string;
  /** `New dataset`, `Existing dataset`. */
  readonly about: string;
  readonly datasets: readonly string[];
}

export interface ViewColumn {
  readonly name: string;
  /** In words, such as `string` or `integer, float`. */
  readonly type: string;
  readonly numeric: boolean;
  /** Other name in the file, and in how many events it has a value. */
  readonly tooltip: string;
  /** Of a CSV file: what its values become, with the name that settings use. */
  readonly csv?: { readonly key: string; readonly type: ColumnType };
}

/**
 * `text` is cut where it is long; `null` and missing values have a kind of their own, and so has the time of an
 * event that gets the time of its arrival.
 */
export type ViewCell =
  | { readonly text: string; readonly kind: 'string' | 'other' }
  | { readonly kind: 'null' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'arrival' };

export interface ViewRow {
  readonly line: number;
  readonly cells: readonly ViewCell[];
}

export interface ViewBroken {
  readonly line: number;
  /** `line 7`, `lines 7 to 9`. */
  readonly place: string;
  readonly reason: string;
  readonly text: string;
}

export interface ViewNotice {
  readonly message: string;
  readonly severity: 'info' | 'warning';
}

export interface TimeView {
  /** The choices, the best first; the value of one is its index. */
  readonly candidates: readonly { readonly settings: TimeSettings; readonly label: string }[];
  /** Fields that do not look like a time, which may be chosen all the same. */
  readonly others: readonly string[];
  /** Absent: the time of arrival. */
  readonly settings?: TimeSettings;
  /** Whether a zone has to be chosen, since the values name none. */
  readonly zoneNeeded: boolean;
  /** The span in words, or what happens without a time. */
  readonly span: string;
  readonly outside?: { readonly message: string; readonly button: string };
  /** Where no value shows whether the day or the month comes first: what is assumed, and the other way. */
  readonly order?: {
    readonly message: string;
    readonly button: string;
    readonly settings: TimeSettings;
  };
}

/** How a file is read: as guessed or chosen; absent members are not known, since the file cannot be read. */
export interface ReadView {
  readonly format?: EventFormat;
  readonly compression?: Compression;
  readonly encoding?: Encoding;
  readonly csv?: { readonly delimiter: string; readonly header: boolean };
}

export interface FileView {
  readonly id: number;
  readonly name: string;
  readonly path?: string;
  readonly size: string;
  /** Grows with every preview, so that a table is drawn once. */
  readonly version: number;
  /** A preview that is asked for again stays in view until the next one is there. */
  readonly reading: boolean;
  readonly problem?: { readonly message: string; readonly line?: number };
  readonly read: ReadView;
  readonly labels: Readonly<Record<string, string>>;
  readonly broken: 'skip' | 'stop';
  readonly preview?: PreviewView;
  /** Whether lines of it can be shown in an editor. */
  readonly hasLines: boolean;
}

export interface PreviewView {
  readonly time: TimeView;
  readonly columns: readonly ViewColumn[];
  readonly rows: readonly ViewRow[];
  readonly brokenEvents: readonly ViewBroken[];
  readonly notices: readonly ViewNotice[];
  /** `First 100 events`, `All 12 events`. */
  readonly caption: string;
}

export interface ProgressView {
  readonly file: string;
  /** `File 2 of 5`. */
  readonly place?: string;
  readonly state: 'running' | 'waiting' | 'paused' | 'cancelling';
  /** From 0 to 1, of all files. */
  readonly fraction: number;
  readonly bytes: string;
  readonly events: string;
  readonly rate: string;
  readonly left: string;
  /** Why it waits. */
  readonly waiting?: string;
}

export interface ViewAction {
  readonly label: string;
  readonly command: string;
}

export interface ReportView {
  readonly mode: Mode;
  readonly headline: string;
  readonly severity: 'success' | 'warning' | 'error';
  readonly counts: readonly ViewCount[];
  readonly files: readonly FileReport[];
  /** The label of the button that runs the query; absent where nothing arrived. */
  readonly query?: string;
}

export interface ViewCount {
  readonly label: string;
  readonly value: string;
  readonly severity?: 'warning' | 'error';
}

export interface FileReport {
  readonly id: number;
  readonly name: string;
  readonly headline: string;
  readonly severity: 'success' | 'warning' | 'error';
  readonly problem?: string;
  readonly actions: readonly ViewAction[];
  readonly counts: readonly ViewCount[];
  /** How the counts add up. */
  readonly sum: string;
  readonly reasons: readonly { readonly reason: string; readonly count: string }[];
  readonly failures: readonly ViewBroken[];
  /** That there are more than those listed. */
  readonly more?: string;
  readonly doubt: readonly { readonly line: number; readonly place: string }[];
  readonly messages: readonly string[];
  readonly failedFile: boolean;
  /** The label of the button that goes on where the run ended. */
  readonly resume?: string;
  readonly hasLines: boolean;
}

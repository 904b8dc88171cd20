/** Facts that the host sends to the ingest page. The page makes text of them, and makes their strings visible. */
import type { Preview, RunProgress } from '../../../../ingest/src/contract.ts';
import type { FileLink } from '../../../../ingest/src/read/links.ts';
import type {
  ColumnType,
  Compression,
  Encoding,
  EventFormat,
  TimeSettings,
} from '../../../../ingest/src/settings.ts';
import type { FinishedReport } from './engine.ts';

export type Phase = 'preview' | 'running' | 'report';
export type Mode = 'ingest' | 'check';

export interface Screen {
  readonly phase: Phase;
  /** The mode of the run or of its report. */
  readonly mode: Mode;
  readonly deployment: string;
  readonly production: boolean;
  readonly files: readonly FileItem[];
  /** The file whose preview is shown. */
  readonly shown: number;
  readonly target: TargetView;
  /** The reason that nothing can be sent yet. */
  readonly blocked?: string;
  /** A notice about the files as a whole. */
  readonly notice?: string;
}

export interface FileItem {
  readonly id: number;
  readonly name: string;
  /** The folder below the chosen one. */
  readonly folder?: string;
  /** The target, if the file is a link. */
  readonly link?: FileLink;
  readonly size: number;
  readonly included: boolean;
  readonly state: 'waiting' | 'reading' | 'ready' | 'problem';
  readonly format?: EventFormat;
  /** The number of previewed events. */
  readonly events: number;
  readonly broken: number;
}

interface TargetView {
  readonly dataset: string;
  readonly problem?: string;
  /** The names of existing datasets, if they can be listed. */
  readonly datasets?: readonly string[];
}

/** The settings that a file is read with, guessed or chosen. Unknown ones of an unreadable file are absent. */
export interface ReadView {
  readonly format?: EventFormat;
  readonly compression?: Compression;
  readonly encoding?: Encoding;
  readonly csv?: {
    readonly delimiter: string;
    readonly header: boolean;
    /** The types of columns by their names in the file. Others are strings. */
    readonly types: Readonly<Record<string, ColumnType>>;
  };
  /** Absent if events get the time of their arrival. */
  readonly time?: TimeSettings;
}

export interface FileView {
  readonly id: number;
  readonly name: string;
  readonly path?: string;
  readonly size: number;
  /** Whether a preview is being read. The former one stays in view until then. */
  readonly reading: boolean;
  readonly problem?: { readonly message: string; readonly line?: number };
  readonly read: ReadView;
  readonly labels: Readonly<Record<string, string>>;
  readonly broken: 'skip' | 'stop';
  /** The latest preview, with long values cut. */
  readonly preview?: Preview;
  /** Set if the previewed times aren't all in the current time range. */
  readonly outside?: {
    /** Whether none of them are. */
    readonly isApart: boolean;
    /** The current time range. */
    readonly range: string;
    /** The range of the previewed times. */
    readonly around: string;
  };
  /** Whether an editor can show its lines. */
  readonly hasLines: boolean;
}

export interface ProgressView extends Omit<RunProgress, 'state' | 'waiting'> {
  readonly state: 'running' | 'waiting' | 'paused' | 'cancelling';
  /** The first file whose run has not ended, with its number from 1. */
  readonly file: string;
  readonly index: number;
  readonly files: number;
  readonly waiting?: { readonly message: string; readonly seconds: number };
}

export interface ViewAction {
  readonly label: string;
  readonly command: string;
}

export interface ReportView {
  readonly mode: Mode;
  readonly files: readonly FileReport[];
}

/** The file of a run, in the order of the page. */
export interface FileReport {
  readonly id: number;
  readonly name: string;
  readonly hasLines: boolean;
  readonly actions: readonly ViewAction[];
  /** Absent if the run ended before the file. */
  readonly report?: FinishedReport;
}

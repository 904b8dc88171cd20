/** The data that the host sends to the ingest page. The page formats it, and makes invisible characters visible. */
import type { Preview, RunProgress } from '../../../../ingest/src/contract.ts';
import type { FileLink } from '../../../../ingest/src/read/links.ts';
import type { CsvSettings, EventFormat, ReadSettings } from '../../../../ingest/src/settings.ts';
import type { Action } from '../../host/advice.ts';
import type { FinishedReport } from './engine.ts';

export type Phase = 'preview' | 'running' | 'report';
export type Mode = 'ingest' | 'check';

export interface Screen {
  readonly phase: Phase;
  readonly mode: Mode;
  readonly deployment: string;
  readonly production: boolean;
  readonly files: readonly FileItem[];
  /** The ID of the previewed file. */
  readonly shown: number;
  readonly target: TargetView;
  /** The reason why nothing can be sent. */
  readonly blocked?: string;
  readonly notice?: string;
}

export interface FileItem {
  readonly id: number;
  readonly name: string;
  readonly folder?: string;
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
  readonly datasets?: readonly string[];
}

/** The guessed and chosen settings for reading a file. For an unreadable file, unknown settings are absent. */
export type ReadView = Partial<
  Pick<ReadSettings, 'format' | 'compression' | 'encoding' | 'time'>
> & {
  readonly csv?: Omit<CsvSettings, 'names'>;
};

export interface FileView extends Pick<FileItem, 'id' | 'name' | 'size'> {
  readonly path?: string;
  /** Whether a preview is being read. Meanwhile, the previous one is shown. */
  readonly reading: boolean;
  readonly problem?: { readonly message: string; readonly line?: number };
  readonly read: ReadView;
  readonly labels: Readonly<Record<string, string>>;
  readonly broken: 'skip' | 'stop';
  /** The latest preview, with shortened values. */
  readonly preview?: Preview;
  /** Set if any previewed times are outside the current time range. */
  readonly outside?: {
    /** Whether all previewed times are outside the current time range. */
    readonly isApart: boolean;
    readonly range: string;
    /** A range that contains the previewed times. */
    readonly around: string;
  };
  /** Whether an editor can open the file's lines. */
  readonly hasLines: boolean;
}

export interface ProgressView extends Omit<RunProgress, 'state' | 'waiting'> {
  readonly state: 'running' | 'waiting' | 'paused' | 'cancelling';
  /** The first file in progress, and its position among the files, from 1. */
  readonly file: string;
  readonly index: number;
  readonly files: number;
  readonly waiting?: { readonly message: string; readonly seconds: number };
}

export type ViewAction = Omit<Action, 'arguments'>;

export interface ReportView {
  readonly mode: Mode;
  readonly files: readonly FileReport[];
}

/** A file in a run. Reports are in the order of the files on the page. */
export interface FileReport {
  readonly id: number;
  readonly name: string;
  readonly hasLines: boolean;
  readonly actions: readonly ViewAction[];
  /** The file's report; absent if the run ended before this file. */
  readonly report?: FinishedReport;
}

/** What the pages of dashboards and monitors are sent to draw. */
import type { TimeSeriesData } from '../charts/chart.ts';
import type { ChartMarks } from '../charts/marks.ts';
import type { ViewAction } from '../results/messages.ts';
import type { TabId } from '../results/tabs.ts';
import type { CardKind, FilterOption } from './model/dashboard.ts';
import type { Place } from './model/layout.ts';

export interface CardView {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly kind: CardKind;
  readonly place: Place;
  readonly hasQuery: boolean;
  /** The Markdown of a note, or why a chart cannot be drawn. */
  readonly text?: string;
  readonly filters: readonly FilterView[];
}

export interface FilterView {
  readonly id: string;
  readonly name: string;
  readonly kind: 'select' | 'search';
  readonly options: readonly FilterOption[];
  readonly value: string;
  /** Why its options could not be listed. */
  readonly problem?: string;
}

export interface BoardView {
  readonly kind: 'dashboard';
  readonly name: string;
  readonly description: string;
  readonly deployment: string;
  /** The window in words, and whether it is another one than that of the document. */
  readonly window: string;
  readonly isOtherWindow: boolean;
  /** Seconds; 0 for none. */
  readonly refreshSeconds: number;
  readonly ownRefreshSeconds: number;
  /** Minutes; 0 for none. */
  readonly againstMinutes: number;
  readonly ownAgainstMinutes: number;
  /** Whether annotations are drawn, and why some are missing. */
  readonly annotations: { readonly shown: boolean; readonly problem?: string };
  readonly cards: readonly CardView[];
}

export interface MonitorView {
  readonly kind: 'monitor';
  readonly name: string;
  readonly description: string;
  readonly deployment: string;
  readonly type: string;
  /** Such as `Enabled` or `Disabled until 2026-01-31 08:30 UTC`. */
  readonly state: string;
  readonly isEnabled: boolean;
  readonly rule: string;
  readonly window: string;
  readonly card: CardView;
  /** Why it cannot be tested. */
  readonly untestable?: string;
}

/** The document could not be read. */
export interface MissingView {
  readonly kind: 'missing';
  readonly title: string;
  readonly message: string;
  readonly actions: readonly ViewAction[];
}

export type PageView = BoardView | MonitorView | MissingView;

export interface MonitorItem {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly isEnabled: boolean;
}

export interface CardState {
  readonly id: string;
  readonly phase: 'waiting' | 'loading' | 'ready' | 'failed';
  /** The tab that has its answer, with the number of the answer: another number is another answer. */
  readonly tab?: TabId;
  readonly answers: number;
  /** When the answer was asked for, in milliseconds since 1970. */
  readonly updatedAt?: number;
  readonly notices: readonly string[];
  readonly failure?: { readonly message: string; readonly actions: readonly ViewAction[] };
  /** For a list of monitors. */
  readonly monitors?: readonly MonitorItem[];
}

export interface StatusView {
  readonly running: number;
  readonly waiting: number;
  /** Charts whose last query failed. */
  readonly failed: number;
  /** When the last answer arrived, in milliseconds since 1970. */
  readonly updatedAt?: number;
  readonly timeZone: 'utc' | 'local';
}

export interface TestView {
  readonly phase: 'idle' | 'running' | 'done' | 'failed' | 'cancelled';
  /** The span in words. */
  readonly span: string;
  readonly done: number;
  readonly total: number;
  /** Why it failed. */
  readonly message?: string;
  /** The result in sentences, the first the headline. */
  readonly summary: readonly string[];
  readonly chart?: {
    readonly data: TimeSeriesData;
    readonly marks: ChartMarks;
    readonly from: number;
    readonly to: number;
  };
  /** The runs that are listed, the newest first. */
  readonly runs: readonly RunView[];
  readonly timeZone: 'utc' | 'local';
  readonly localZone: string;
}

export interface RunView {
  readonly time: string;
  readonly group: string;
  readonly value: string;
  /** Such as `Above 10`, `No data`. */
  readonly verdict: string;
  /** Such as `Alert sent`, `Alerting`, `Resolved`. */
  readonly outcome: string;
  readonly level: 'fired' | 'positive' | 'resolved' | 'normal';
}

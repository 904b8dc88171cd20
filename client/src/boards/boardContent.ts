/** The data that dashboard and monitor pages draw. */
import type { TimeSeriesData } from '../../../table/src/chart/chart.ts';
import type { TabId } from '../answers/tabs.ts';
import type { ChartMarks } from '../charts/marks.ts';
import type { ViewAction } from '../results/pageContent.ts';
import type { TimeZone } from '../time/timeZone.ts';
import type { Board, BoardFilter, Card } from './model/dashboard.ts';

export interface CardView extends Pick<Card, 'id' | 'type' | 'name' | 'kind' | 'place'> {
  readonly hasQuery: boolean;
  /** A note's Markdown, or the reason why a chart can't be drawn. */
  readonly text?: string;
  readonly filters: readonly FilterView[];
}

export interface FilterView extends Pick<BoardFilter, 'id' | 'name' | 'kind' | 'options'> {
  readonly value: string;
  readonly problem?: string;
}

export interface ResourceView {
  readonly name: string;
  readonly description: string;
  readonly deployment: string;
  readonly window: string;
}

export interface BoardView extends ResourceView, Pick<Board, 'refreshSeconds' | 'againstMinutes'> {
  readonly kind: 'dashboard';
  /** Whether the page's time range differs from the range in the dashboard document. */
  readonly isOtherWindow: boolean;
  readonly ownRefreshSeconds: number;
  readonly ownAgainstMinutes: number;
  /** Whether annotations are drawn, and why some are missing. */
  readonly annotations: { readonly shown: boolean; readonly problem?: string };
  readonly cards: readonly CardView[];
}

export interface MonitorView extends ResourceView {
  readonly kind: 'monitor';
  readonly type: string;
  /** The monitor's state, such as `Enabled` or `Disabled until 2026-01-31 08:30 UTC`. */
  readonly state: string;
  readonly isEnabled: boolean;
  readonly rule: string;
  readonly card: CardView;
  /** The reason why the monitor can't be tested. */
  readonly untestable?: string;
}

/** A resource that isn't available. An empty title means that it is loading; otherwise, it could not be read. */
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
  /** The slot with the card's latest answer. */
  readonly tab?: TabId;
  /** The time when the answer was requested, in milliseconds since 1970. */
  readonly updatedAt?: number;
  readonly notices: readonly string[];
  readonly failure?: { readonly message: string; readonly actions: readonly ViewAction[] };
  readonly monitors?: readonly MonitorItem[];
}

export interface StatusView {
  readonly running: number;
  readonly waiting: number;
  readonly failed: number;
  /** The time when the latest answer was requested, in milliseconds since 1970. */
  readonly updatedAt?: number;
  readonly timeZone: TimeZone;
}

export interface TestView {
  readonly phase: 'idle' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly span: string;
  readonly done: number;
  readonly total: number;
  readonly message?: string;
  /** The result in sentences. The headline comes first and completes "In the last 24 hours, …". */
  readonly summary: readonly string[];
  readonly chart?: {
    readonly data: TimeSeriesData;
    readonly marks: ChartMarks;
    readonly from: number;
    readonly to: number;
  };
  /** The runs in the list, newest first. */
  readonly runs: readonly RunView[];
  readonly timeZone: TimeZone;
  readonly localZone: string;
}

export interface RunView {
  readonly time: string;
  readonly group: string;
  readonly value: string;
  readonly verdict: string;
  /** The run's effect on the alert, such as `Alert sent`, `Alerting` or `Resolved`. */
  readonly outcome: string;
  readonly level: 'fired' | 'positive' | 'resolved' | 'normal';
}

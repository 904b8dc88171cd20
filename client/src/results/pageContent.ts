/**
 * What the results page is given to draw. Rows stay in the store: the page asks for windows of drawn
 * cells. All text is made visible by the host, so that it neither hides nor reorders anything.
 */

import type { ChartShape } from '../../../table/src/chart/chart.ts';
import type { AnswerViewState, ValuePath } from '../../../table/src/viewState.ts';
import type { AnswerId } from '../answers/protocol.ts';
import type { ResultTab, RunningTabState, TabAction, TabId } from '../answers/tabs.ts';
import type { ChartState } from '../charts/host/chartEffects.ts';

/** How a column's values are ordered, filtered and aligned. */
export type ColumnKind = 'number' | 'time' | 'boolean' | 'text' | 'other';

/** Columns are named by their index in the table, in the order in which the service sent them. */
export interface ViewColumn {
  readonly name: string;
  /** The type in the words of queries. */
  readonly type: string;
  readonly kind: ColumnKind;
  /** The unit of its numbers, or the time zone of its times. */
  readonly unit?: string;
  readonly description?: string;
  /** The width of its first cells as drawn, in characters. */
  readonly characters: number;
  /** The digits after the point of the longest fraction, which others are aligned with. */
  readonly decimals?: number;
  /** Whether its values are severities, which color the start of the row. */
  readonly severity: boolean;
}

export interface ViewTable {
  /** The label if there are several tables. */
  readonly label: string;
  readonly columns: readonly ViewColumn[];
  /** Rows that pass the filters, and all. */
  readonly rowCount: number;
  readonly totalRows: number;
  /** Of a table that follows a query: how many older rows were removed. */
  readonly removedRows?: number;
  /** The time range that the service answered for, in milliseconds since 1970; absent where it names none. */
  readonly range?: { readonly from: number; readonly to: number };
  /** The charts that the table allows; `kinds` is empty if there are none. */
  readonly chart: ChartShape;
  /** Whether it is shown as a chart until a person chooses. */
  readonly chartFirst: boolean;
}

export interface ViewNotice {
  readonly severity: 'info' | 'warning' | 'error';
  /** A word or two for the status line. */
  readonly label: string;
  readonly message: string;
}

/** The arguments of commands stay in the host: the page names a command of those it was given. */
export type ViewAction = Omit<TabAction, 'arguments'>;

export interface ViewTab extends Pick<ResultTab, 'id' | 'title' | 'pinned'> {
  /** The title, or the part of it that distinguishes the tab from the others. */
  readonly label: string;
  /** The query, cut where it is long; the title where there is no query. */
  readonly query: string;
  readonly running: boolean;
  readonly failed: boolean;
  /** Whether it is of a deployment that is marked as production. */
  readonly production: boolean;
}

export interface TabStrip {
  readonly tabs: readonly ViewTab[];
  readonly active: TabId | null;
}

export interface ResultContent {
  readonly kind: 'result';
  readonly answer: AnswerId;
  readonly title: string;
  /** The query on one line, which labels its rows for screen readers. */
  readonly label: string;
  /** The parts of the status line, such as `1,000 of 48,213 rows`. */
  readonly summary: readonly string[];
  readonly notices: readonly ViewNotice[];
  /** Shown above the rows, or in place of them. */
  readonly hint?: { readonly message: string; readonly actions: readonly ViewAction[] };
  readonly tables: readonly ViewTable[];
  readonly view: AnswerViewState;
  /** Whether there are more rows in the service than were sent. */
  readonly more: boolean;
  readonly loadsAll?: boolean;
  /** Why not all rows were loaded. */
  readonly stopped?: string;
  /** Whether the query is in a document, so that a filter can be added to it. */
  readonly editable: boolean;
  /** The charts' actions; absent if a page only draws them. */
  readonly charts?: ChartState;
  readonly rangeLabel: string;
}

export interface LoadProgress {
  readonly rows: number;
  readonly total: number;
  readonly done: boolean;
}

/** An answer whose rows are no longer in memory. */
export interface GoneContent {
  readonly kind: 'gone';
  readonly title: string;
  readonly message: string;
  readonly actions: readonly ViewAction[];
}

export interface FailedContent extends Omit<GoneContent, 'kind'> {
  readonly kind: 'failed';
  readonly traceId?: string;
}

export type Running = Omit<RunningTabState, 'kind' | 'run' | 'previous'>;

export interface ViewCancelled {
  /** Says so with the time that it took until then, such as `Cancelled after 3.2 s`. */
  readonly message: string;
  readonly actions: readonly ViewAction[];
}

/** What is said of a query that is followed. */
export interface ViewFollow {
  readonly tab: TabId;
  readonly state: 'following' | 'paused' | 'stopped';
  /** The state in a word or two. */
  readonly label: string;
  /** Numbers that change all the time, such as `1,234 new events` and `12/s`. */
  readonly counts: readonly string[];
  /** The reason for waiting or stopping. */
  readonly notice?: Pick<ViewNotice, 'severity' | 'message'>;
  /** Whether rows are appended; otherwise the query is run again. */
  readonly appends: boolean;
  readonly newestFirst: boolean;
}

/** Actions on a followed query. */
export type FollowAction = 'pause' | 'resume' | 'stop' | 'newestFirst' | 'newestLast';

/** A tab as it is drawn. While a run is going on, the content is that of the run before it. */
export interface Screen {
  readonly tab: TabId;
  readonly title: string;
  readonly running?: Running;
  readonly cancelled?: ViewCancelled;
  readonly content?: ResultContent | FailedContent | GoneContent;
  readonly timeZone: 'utc' | 'local';
  readonly localZone: string;
}

/** Actions that the page performs for menu commands. */
export const pageActions = [
  'copy',
  'copyWithHeaders',
  'copyCsv',
  'copyTsv',
  'copyJson',
  'copyNdjson',
  'copyMarkdown',
  'copyIn',
  'copyDatatable',
  'copyRow',
  'copyColumnName',
  'openValue',
  'openLink',
  'addFilterToQuery',
  'excludeFromQuery',
  'topValues',
  'sortAscending',
  'sortDescending',
  'addSortAscending',
  'addSortDescending',
  'clearSort',
  'filterColumn',
  'filterByValue',
  'excludeValue',
  'clearFilters',
  'pinColumn',
  'unpinColumn',
  'hideColumn',
  'showAllColumns',
  'moveColumnLeft',
  'moveColumnRight',
  'fitColumn',
  'fitAllColumns',
  'showTable',
  'showChart',
  'chooseColumns',
  'toggleWrap',
  'toggleDetail',
  'find',
  'findNext',
  'findPrevious',
  'loadMore',
  'loadAll',
  'exportResult',
  'renameTab',
  'pinTab',
  'unpinTab',
  'closeTab',
  'closeOtherTabs',
  'closeAllTabs',
] as const;

export type PageAction = (typeof pageActions)[number];

/** Where a menu was opened; the page puts this into the context that VS Code hands to commands. */
export interface MenuPlace {
  readonly row?: number;
  readonly column?: number;
  readonly tab?: TabId;
  /** The tab of an output of a notebook; absent in the results view. */
  readonly output?: TabId;
}

/** One line of the detail pane, in the order of the tree. */
export interface DetailNode {
  readonly depth: number;
  readonly key: string;
  /** The column, absent for a name that only groups columns, such as `geo` of `geo.city`. */
  readonly column?: number;
  readonly path: ValuePath;
  readonly kind: 'group' | 'object' | 'array' | 'text' | 'number' | 'boolean' | 'null';
  /** As drawn; for objects and arrays how many members they have. */
  readonly text: string;
  /** Whether the text is an address of the web. */
  readonly link: boolean;
  /** Lines below this one that belong to it. */
  readonly descendants: number;
}

export interface RowDetail {
  /** The number of the row as it came, from 0. */
  readonly number: number;
  readonly nodes: readonly DetailNode[];
  readonly truncated: boolean;
}

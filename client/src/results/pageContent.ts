/** The content of the results page. Rows stay in the store, and the page requests windows of formatted cells. */

import type { ChartShape } from '../../../table/src/chart/chart.ts';
import type { AnswerViewState, ValuePath } from '../../../table/src/viewState.ts';
import type { AnswerId, Arranged, DrawnSize } from '../answers/protocol.ts';
import type { ResultTab, RunningTabState, TabAction, TabId } from '../answers/tabs.ts';
import type { ChartState } from '../charts/host/chartEffects.ts';

/** Determines how a column's values are ordered, filtered and aligned. */
export type ColumnKind = 'number' | 'time' | 'boolean' | 'text' | 'other';

/** Columns are identified by their index in the table, in the service's order. */
export interface ViewColumn extends DrawnSize {
  readonly name: string;
  /** The column's type, as named in queries. */
  readonly type: string;
  readonly kind: ColumnKind;
  /** The numbers' unit, or the times' time zone. */
  readonly unit?: string;
  readonly description?: string;
  /** Whether the values are severities, which determine the color at the start of each row. */
  readonly severity: boolean;
}

export interface ViewTable extends Arranged {
  /** The table's label, shown if there are several tables. */
  readonly label: string;
  readonly columns: readonly ViewColumn[];
  /** The number of older rows that were removed. Absent if the table does not follow a query. */
  readonly removedRows?: number;
  /** The answer's time range, in milliseconds since 1970. Absent if the service reports none. */
  readonly range?: { readonly from: number; readonly to: number };
  /** The table's possible charts. `kinds` is empty if there are none. */
  readonly chart: ChartShape;
  /** Whether the table opens as a chart until the user chooses a view. */
  readonly chartFirst: boolean;
}

export interface ViewNotice {
  readonly severity: 'info' | 'warning' | 'error';
  /** One or two words for the status line. */
  readonly label: string;
  readonly message: string;
}

/** A tab's action without arguments. The host keeps them; the page only sends back the command's name. */
export type ViewAction = Omit<TabAction, 'arguments'>;

export interface ViewTab extends Pick<ResultTab, 'id' | 'title' | 'pinned'> {
  /** The tab's title, or the part of it that distinguishes the tab from the others. */
  readonly label: string;
  /** The query, shortened if it is long; the title if there is no query. */
  readonly query: string;
  readonly running: boolean;
  readonly failed: boolean;
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
  /** The label of the rows for screen readers. It contains the query on one line. */
  readonly label: string;
  /** The parts of the status line, such as `1,000 of 48,213 rows`. */
  readonly summary: readonly string[];
  readonly notices: readonly ViewNotice[];
  /** Shown above the rows, or in place of them. */
  readonly hint?: { readonly message: string; readonly actions: readonly ViewAction[] };
  readonly tables: readonly ViewTable[];
  readonly view: AnswerViewState;
  /** Whether the service has more rows than were loaded. */
  readonly more: boolean;
  readonly loadsAll?: boolean;
  /** The reason why not all rows were loaded. */
  readonly stopped?: string;
  /** Whether the query is in a document, so that a filter can be added to it. */
  readonly editable: boolean;
  /** The state of the chart's actions. Absent if the page only draws charts. */
  readonly charts?: ChartState;
  readonly rangeLabel: string;
}

export interface LoadProgress {
  readonly rows: number;
  readonly total: number;
  readonly done: boolean;
}

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

export interface Running extends Omit<RunningTabState, 'kind' | 'run' | 'previous' | 'arriving'> {
  /** The number of rows so far. Present if the content is the run's own first rows. */
  readonly arrivedRows?: number;
}

export interface ViewCancelled {
  /** States the elapsed time, such as `Cancelled after 3.2 s`. */
  readonly message: string;
  readonly actions: readonly ViewAction[];
}

export interface ViewFollow {
  readonly tab: TabId;
  readonly state: 'following' | 'paused' | 'stopped';
  readonly label: string;
  /** Frequently changing numbers, such as `1,234 new events` and `12/s`. */
  readonly counts: readonly string[];
  readonly notice?: Pick<ViewNotice, 'severity' | 'message'>;
  /** Whether new rows are appended. If false, the query is run again and its rows are replaced. */
  readonly appends: boolean;
  readonly newestFirst: boolean;
}

export type FollowAction = 'pause' | 'resume' | 'stop' | 'newestFirst' | 'newestLast';

/** A tab's content. During a run, `content` is the previous run's content until the run's own rows arrive. */
export interface Screen {
  readonly tab: TabId;
  readonly title: string;
  readonly running?: Running;
  readonly cancelled?: ViewCancelled;
  readonly content?: ResultContent | FailedContent | GoneContent;
  readonly timeZone: 'utc' | 'local';
  readonly localZone: string;
}

/** Actions that the page performs when a menu command is run. */
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

/** The place where a menu was opened. The page adds it to the context that VS Code passes to commands. */
export interface MenuPlace {
  readonly row?: number;
  readonly column?: number;
  readonly tab?: TabId;
  /** The notebook output's tab. Absent in the results view. */
  readonly output?: TabId;
}

export interface DetailNode {
  readonly depth: number;
  readonly key: string;
  /** The column's index. Absent for a name that only groups columns, such as `geo` of `geo.city`. */
  readonly column?: number;
  readonly path: ValuePath;
  readonly kind: 'group' | 'object' | 'array' | 'text' | 'number' | 'boolean' | 'null';
  /** The formatted text, or the number of members for objects and arrays. */
  readonly text: string;
  readonly link: boolean;
  /** The number of following lines that belong to this one. */
  readonly descendants: number;
}

export interface RowDetail {
  /** The row's position in order of arrival, from 0. */
  readonly number: number;
  readonly nodes: readonly DetailNode[];
  readonly truncated: boolean;
}

/** The channel of the results page: what it asks its host, what it reports, and what the host sends. */

import {
  type ChartPoint,
  chartKinds,
  missingValues,
  seriesStyles,
} from '../../../table/src/chart/chart.ts';
import { formats } from '../../../table/src/export/formats.ts';
import type { ValueKey } from '../../../table/src/viewState.ts';
import type { ParameterForm } from '../answers/parameterForm.ts';
import type {
  Arranged,
  ColumnSummary,
  ColumnValues,
  CopyFormat,
  DrawnWindow,
  Found,
  FoundPlace,
  SelectionFigures,
} from '../answers/protocol.ts';
import type { TabId } from '../answers/tabs.ts';
import type { ChartMarks } from '../charts/marks.ts';
import {
  boolean,
  either,
  integer,
  list,
  literal,
  nothing,
  number,
  object,
  oneOf,
  record,
  text,
} from '../webview/checks.ts';
import { contract, request } from '../webview/pageContract.ts';
import { type ExportForm, fileFormats } from './exportForm.ts';
import type {
  LoadProgress,
  MenuPlace,
  PageAction,
  RowDetail,
  Screen,
  TabStrip,
  ViewFollow,
} from './pageContent.ts';

const maxRows = 2_147_483_647;
const maxColumns = 10_000;
const maxText = 100_000;

const id = text(200);
const row = integer(0, maxRows);
const column = integer(0, maxColumns);
const columns = list(column, maxColumns);
const table = { answer: id, table: integer(0, 1_000) };
const cell = { ...table, row, column };
const path = list(either(text(maxText), integer(0, maxRows)), 1_000);
const order = list(object({ column, descending: boolean }), 100);

const valueKey = either(
  literal(null),
  object({ kind: oneOf('number', 'text', 'boolean', 'json'), text: text(maxText) }),
);

const bounds = { from: text(100), to: text(100) };
const filter = either(
  object(
    {
      column,
      kind: literal('text'),
      match: oneOf('contains', 'equals', 'startsWith', 'regex'),
      text: text(maxText),
      caseSensitive: boolean,
    },
    { negated: boolean },
  ),
  object({ column, kind: literal('number') }, bounds),
  object({ column, kind: literal('time') }, bounds),
  object({ column, kind: literal('isNull') }, { negated: boolean }),
  object({ column, kind: literal('values'), values: list(valueKey, 10_000) }, { negated: boolean }),
);
const filters = list(filter, 1_000);

const block = object({ fromRow: row, toRow: row, columns });
const blocks = list(block, 1_000);
const findOptions = object({ match: oneOf('contains', 'equals', 'regex'), caseSensitive: boolean });
const pixels = number(0, 1e9);

const milliseconds = number(-1e16, 1e16);

const chartChoice = object(
  {},
  {
    kind: oneOf(...chartKinds),
    style: oneOf(...seriesStyles),
    stacked: boolean,
    missing: oneOf(...missingValues),
    values: columns,
  },
);

const tableView = object(
  {
    order,
    filters,
    columnOrder: columns,
    hidden: columns,
    pinned: columns,
    widths: record(number(0, 100_000), maxColumns),
    selection: blocks,
    scroll: object({ row: number(0, maxRows), left: pixels }, { toActive: boolean }),
    find: object({ text: text(maxText), options: findOptions }),
    wrap: boolean,
  },
  {
    active: object({ row, column }),
    shown: oneOf('table', 'chart'),
    chart: chartChoice,
  },
);

const chartRequest = object(
  {
    kind: oneOf(...chartKinds),
    values: columns,
    groups: columns,
    missing: oneOf(...missingValues),
    stacked: boolean,
    maxSeries: integer(1, 1_000),
    maxPoints: integer(1, 100_000),
    timeZone: oneOf('utc', 'local'),
  },
  { time: column, histogram: column },
);

const form = integer(0, Number.MAX_SAFE_INTEGER);

const exportOptions = object({
  delimiter: text(10),
  header: boolean,
  byteOrderMark: boolean,
  nullText: text(1_000),
  guardFormulas: boolean,
});

export const copyFormats = formats
  .filter(({ canCopy }) => canCopy)
  .map(({ id }) => id as CopyFormat);

export const resultsContract = contract<{
  tabs: TabStrip;
  /** The screen of a tab, or of all tabs if it is null, may have changed. */
  changed: { readonly tab: TabId | null };
  action: { readonly action: PageAction; readonly place: MenuPlace };
  /** The query of the active tab is followed, or not any more. */
  follow: ViewFollow | null;
  /** A form to open; null when it has closed. */
  parameterForm: ParameterForm | null;
  /** Annotations may be others. */
  marksChanged: null;
  /** The page takes the keyboard. */
  focus: null;
}>()({
  requests: {
    /** The content of a tab; null if it is gone. */
    screen: request<Screen | null>()(object({ tab: id })),
    /** Rows `[from, to)` and which of their cells match the search. */
    window: request<DrawnWindow & { readonly found: readonly number[] }>()(
      object({ ...table, from: row, to: row, columns, search: boolean }),
    ),
    arrange: request<Arranged>()(object({ ...table, order, filters })),
    find: request<Found>()(
      object({ ...table, text: text(maxText), options: findOptions, columns }),
    ),
    findNext: request<FoundPlace | null>()(object({ ...cell, backwards: boolean })),
    summary: request<ColumnSummary>()(
      object({ ...table, column, top: integer(0, 100), bins: integer(1, 200) }),
    ),
    values: request<ColumnValues>()(object({ ...table, column, search: text(maxText) })),
    figures: request<SelectionFigures>()(object({ ...table, blocks })),
    detail: request<RowDetail>()(object({ ...table, row, nested: boolean })),
    /** The exact text of a cell, cut when it is very long; null for null. */
    exact: request<string | null>()(object(cell)),
    /** What distinguishes the value of a cell from others of its column. */
    valueKey: request<ValueKey>()(object(cell)),
    /** `guarded`: whether apostrophes were put in front of what begins like a formula. */
    copy: request<{
      readonly rows: number;
      readonly truncated: boolean;
      readonly guarded: boolean;
    }>()(object({ ...table, blocks, format: oneOf(...copyFormats), headers: boolean })),
    /** The text of a cell or of a member of its value, or how a query names it. */
    copyValue: request<null>()(object({ ...cell, path, what: oneOf('value', 'path') })),
    /** A time as a person writes it, in the time zone in effect, as RFC 3339 in UTC. */
    parseTime: request<string>()(object({ text: text(100) })),
    loadMore: request<{ readonly rows: number }>()(object(table)),
    /**
     * The progress of loading all rows, once there are more than `rows` or it has ended. `start` begins it; without
     * it a load is only followed.
     */
    loadAll: request<LoadProgress>()(object({ ...table, rows: row, start: boolean })),
    /**
     * `ChartData` as JSON: a page receives one long string several times as fast as arrays of as many numbers.
     * With the filters of another answer where `filteredAs` names one.
     */
    chart: request<string>()(object({ ...table, request: chartRequest }, { filteredAs: id })),
    /** The exact values of series at a time of theirs. */
    chartPoint: request<ChartPoint>()(
      object({ ...table, request: chartRequest, time: milliseconds }),
    ),
    chartMarks: request<ChartMarks>()(object({ answer: id })),
    /** The form of an export; null if the tab has no result, or the page has no exports. */
    exportForm: request<ExportForm | null>()(object({ tab: id })),
    /** The problem of each text, null if it has none. Without problems, `accept` closes the form. */
    checkParameters: request<readonly (string | null)[]>()(
      object({ form, texts: list(text(maxText), 1_000), accept: boolean }),
    ),
  },
  fromPage: {
    ready: nothing,
    focused: boolean,
    /** The Command Palette has taken the keyboard. */
    leftForPalette: nothing,
    /** How a person has arranged an answer. */
    arranged: object({
      answer: id,
      view: object({ table: integer(0, 1_000), tables: list(tableView, 1_000) }),
    }),
    activateTab: object({ tab: id }),
    closeTab: object({ tab: id }),
    pinTab: object({ tab: id, pinned: boolean }),
    renameTab: object({ tab: id, name: text(1_000) }),
    cancel: object({ tab: id }),
    /** Ends the load of all rows; those that are loaded stay. */
    cancelLoad: object({ answer: id }),
    follow: object({
      tab: id,
      action: oneOf('pause', 'resume', 'stop', 'newestFirst', 'newestLast'),
    }),
    /** A button of the tab's state. */
    action: object({ tab: id, command: text(200) }),
    openValue: object(cell),
    openLink: object({ ...cell, path }),
    filterQuery: object({ ...cell, path, exclude: boolean }),
    topValues: object({ ...table, column }),
    selectRange: object({ answer: id, from: milliseconds, to: milliseconds }),
    /** Undoes the last range or filter that was chosen in the result. */
    back: object({ answer: id }),
    annotate: object({ answer: id, from: milliseconds, to: milliseconds }),
    compare: object({ answer: id, minutes: either(literal(null), integer(1, 5_256_000)) }),
    /** A mark of a chart: the columns whose values in a row identify it. */
    filterMark: object({ ...table, row, columns, exclude: boolean }),
    savePicture: object({ answer: id, format: oneOf('png', 'svg'), content: text(64_000_000) }),
    /** The form was closed without values. */
    parametersCancelled: object({ form }),
    /** Asks for a file and writes the result of a tab to it. */
    exportResult: object({
      tab: id,
      format: oneOf(...fileFormats.map(({ id: format }) => format)),
      options: exportOptions,
      everything: boolean,
    }),
    /** Something to say for a moment. */
    inform: object({ message: text(200) }),
    setTimeZone: object({ timeZone: oneOf('utc', 'local') }),
  },
});

export type ResultsContract = typeof resultsContract;

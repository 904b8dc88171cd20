/** The channel between the results page and its host: requests, page events and host events. */

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
  /** A tab's screen, or every tab's screen if null, may have changed. */
  changed: { readonly tab: TabId | null };
  action: { readonly action: PageAction; readonly place: MenuPlace };
  /** The follow state of the active tab's query; null if it isn't followed. */
  follow: ViewFollow | null;
  /** The form to open, or null to close it. */
  parameterForm: ParameterForm | null;
  marksChanged: null;
  focus: null;
}>()({
  requests: {
    screen: request<Screen | null>()(object({ tab: id })),
    /** Returns the rows `[from, to)` and their cells that match the search. */
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
    /** Returns a cell's exact text, cut if it is very long; null for a null value. */
    exact: request<string | null>()(object(cell)),
    /** Returns the key that distinguishes a cell's value from the other values of its column. */
    valueKey: request<ValueKey>()(object(cell)),
    /** `guarded`: whether apostrophes were added in front of text that looks like a formula. */
    copy: request<{
      readonly rows: number;
      readonly truncated: boolean;
      readonly guarded: boolean;
    }>()(object({ ...table, blocks, format: oneOf(...copyFormats), headers: boolean })),
    /** Copies the text of a cell or of a member of its value, or the path that names the member in queries. */
    copyValue: request<null>()(object({ ...cell, path, what: oneOf('value', 'path') })),
    /** Parses a time typed by the user, in the current time zone. Returns RFC 3339 in UTC. */
    parseTime: request<string>()(object({ text: text(100) })),
    loadMore: request<{ readonly rows: number }>()(object(table)),
    /**
     * Waits until more than `rows` rows are loaded or loading has ended, and returns the progress. With `start`, first
     * starts loading all rows. Without it, only waits for a load in progress.
     */
    loadAll: request<LoadProgress>()(object({ ...table, rows: row, start: boolean })),
    /**
     * Returns `ChartData` as JSON, because a page receives one long string several times faster than arrays of numbers.
     * `filteredAs` applies another answer's filters.
     */
    chart: request<string>()(object({ ...table, request: chartRequest }, { filteredAs: id })),
    /** Returns the exact values of all series at the time nearest to `time`. */
    chartPoint: request<ChartPoint>()(
      object({ ...table, request: chartRequest, time: milliseconds }),
    ),
    chartMarks: request<ChartMarks>()(object({ answer: id })),
    /** Returns the export form; null if the tab has no result or the page has no exports. */
    exportForm: request<ExportForm | null>()(object({ tab: id })),
    /** Returns an error message or null for each text. If all texts are valid, `accept` closes the form. */
    checkParameters: request<readonly (string | null)[]>()(
      object({ form, texts: list(text(maxText), 1_000), accept: boolean }),
    ),
  },
  fromPage: {
    ready: nothing,
    focused: boolean,
    /** Sent when the Command Palette has taken the keyboard focus. */
    leftForPalette: nothing,
    arranged: object({
      answer: id,
      view: object({ table: integer(0, 1_000), tables: list(tableView, 1_000) }),
    }),
    activateTab: object({ tab: id }),
    closeTab: object({ tab: id }),
    pinTab: object({ tab: id, pinned: boolean }),
    renameTab: object({ tab: id, name: text(1_000) }),
    cancel: object({ tab: id }),
    /** Stops loading all rows. Rows that are already loaded remain. */
    cancelLoad: object({ answer: id }),
    follow: object({
      tab: id,
      action: oneOf('pause', 'resume', 'stop', 'newestFirst', 'newestLast'),
    }),
    /** Runs the command of a button in the tab. */
    action: object({ tab: id, command: text(200) }),
    openValue: object(cell),
    openLink: object({ ...cell, path }),
    filterQuery: object({ ...cell, path, exclude: boolean }),
    topValues: object({ ...table, column }),
    selectRange: object({ answer: id, from: milliseconds, to: milliseconds }),
    /** Undoes the last range or filter chosen in the result. */
    back: object({ answer: id }),
    annotate: object({ answer: id, from: milliseconds, to: milliseconds }),
    compare: object({ answer: id, minutes: either(literal(null), integer(1, 5_256_000)) }),
    /** Filters by a chart mark, which is identified by the values of `columns` in `row`. */
    filterMark: object({ ...table, row, columns, exclude: boolean }),
    savePicture: object({ answer: id, format: oneOf('png', 'svg'), content: text(64_000_000) }),
    parametersCancelled: object({ form }),
    exportResult: object({
      tab: id,
      format: oneOf(...fileFormats.map(({ id: format }) => format)),
      options: exportOptions,
      everything: boolean,
    }),
    inform: object({ message: text(200) }),
    setTimeZone: object({ timeZone: oneOf('utc', 'local') }),
  },
});

export type ResultsContract = typeof resultsContract;

/** What the view is told of a result: its words and columns, never its rows. */
import { typeName } from '../fieldTypes.ts';
import { isNumeric, shownText } from './cells.ts';
import type { ViewColumn, ViewNotice, ViewState, ViewTable } from './messages.ts';
import type { QueryResult, ResultColumn, ResultState, ResultTable } from './result.ts';

/** Rows that a column's first width is taken from. */
const sampledRows = 50;

export function viewState(state: ResultState, id: number): ViewState {
  // The arguments of commands stay here: the page names a command, and the host knows how it was meant.
  if (state.kind === 'failed') {
    return { ...state, actions: state.actions.map(({ label, command }) => ({ label, command })) };
  }
  if (state.kind !== 'result') return state;
  const { result } = state;
  return {
    kind: 'result',
    id,
    title: result.title,
    summary: summaryOf(result),
    notices: result.notices.map(viewNotice),
    tables: result.tables.map((table, index) => viewTable(table, index)),
  };
}

/** Names the tables as a person knows them: the service calls them `0`, `1` and `_totals`. */
function viewTable(table: ResultTable, index: number): ViewTable {
  const label = table.name === '_totals' ? 'Totals' : index === 0 ? 'Rows' : `Table ${index + 1}`;
  return {
    label,
    rowCount: table.rowCount,
    columns: table.columns.map((column, at) => viewColumn(table, column, at)),
  };
}

function viewColumn(table: ResultTable, column: ResultColumn, index: number): ViewColumn {
  let characters = Math.max(column.name.length, columnCaption(column).length);
  for (const cell of (table.values[index] ?? []).slice(0, sampledRows))
    characters = Math.max(characters, shownText(cell, column.type)?.length ?? 1);
  return {
    ...column,
    type: typeName(column.type),
    align: isNumeric(column.type) ? 'right' : 'left',
    characters,
  };
}

/** What stands under a column's name: its type and unit. */
export function columnCaption(column: { readonly type: string; readonly unit?: string }): string {
  if (column.type === 'datetime') return 'datetime, UTC';
  const type = typeName(column.type);
  return column.unit === undefined ? type : `${type}, ${column.unit}`;
}

const labels: Readonly<Record<string, string>> = {
  default_limit_warning: 'limited by default',
  partial: 'partial',
};

function viewNotice(notice: QueryResult['notices'][number]): ViewNotice {
  return {
    severity: notice.severity,
    label: labels[notice.code] ?? notice.code.replace(/^apl_/, '').replaceAll('_', ' '),
    message: notice.message,
  };
}

const grouped = new Intl.NumberFormat('en-US');

function summaryOf(result: QueryResult): string[] {
  const rows = result.tables[0]?.rowCount ?? 0;
  const counted = `${grouped.format(rows)} ${rows === 1 ? 'row' : 'rows'}`;
  const cut = !result.aggregated && result.rowsMatched > rows;
  const returned = cut
    ? `${grouped.format(rows)} of ${grouped.format(result.rowsMatched)} rows`
    : counted;
  return [
    returned,
    duration(result.elapsedMicroseconds / 1_000),
    ...(result.aggregated ? [`${grouped.format(result.rowsMatched)} matched`] : []),
    `${grouped.format(result.rowsExamined)} examined`,
    result.rangeLabel,
    result.deployment,
  ].filter((part) => part !== '');
}

/** Milliseconds in words: `0.4 ms`, `12 ms`, `3.2 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

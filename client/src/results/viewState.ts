/** What the view is told of a result: its words and columns, never its rows. */
import { typeName } from '../fieldTypes.ts';
import { isNumeric } from './cells.ts';
import type { ViewColumn, ViewNotice, ViewState, ViewTable } from './messages.ts';
import type { QueryResult, ResultColumn, ResultState } from './result.ts';
import type { TableRows } from './rows.ts';
import { visibleLines, visibleText } from './visibleText.ts';

/** Rows that a column's first width is taken from. */
const sampledRows = 50;

/** The state as the page draws it; `tables` are those of a result, with the order that each is in. */
export function viewState(
  state: ResultState,
  id: number,
  tables: readonly TableRows[] = [],
): ViewState {
  if (state.kind === 'empty') return state;
  // The arguments of commands stay here: the page names a command, and the host knows how it was meant.
  if (state.kind === 'failed') {
    return {
      ...state,
      title: visibleText(state.title),
      message: visibleLines(state.message),
      actions: state.actions.map(({ label, command }) => ({ label, command })),
    };
  }
  if (state.kind !== 'result') return { ...state, title: visibleText(state.title) };
  const { result, hint } = state;
  return {
    kind: 'result',
    id,
    title: visibleText(result.title),
    summary: summaryOf(result),
    notices: result.notices.map(viewNotice),
    ...(hint && {
      hint: {
        message: visibleLines(hint.message),
        action: { label: hint.action.label, command: hint.action.command },
      },
    }),
    tables: tables.map(viewTable),
  };
}

/** Names the tables as a person knows them: the service calls them `0`, `1` and `_totals`. */
function viewTable(rows: TableRows, index: number): ViewTable {
  const { table } = rows;
  const label = table.name === '_totals' ? 'Totals' : index === 0 ? 'Rows' : `Table ${index + 1}`;
  return {
    label,
    rowCount: table.rowCount,
    order: rows.order,
    columns: table.columns.map((_, at) => viewColumn(rows, at)),
  };
}

function viewColumn(rows: TableRows, index: number): ViewColumn {
  const column = rows.table.columns[index] as ResultColumn;
  const { name, type, description } = column;
  return {
    name: visibleText(name),
    caption: visibleText(columnCaption(column)),
    ...(description !== undefined && { description: visibleLines(description) }),
    align: isNumeric(type) ? 'right' : 'left',
    characters: rows.characters(index, sampledRows),
  };
}

/** What is shown below a column's name: its type and unit. */
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
    message: visibleLines(notice.message),
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

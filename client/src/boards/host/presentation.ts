/** Computes the initial view state of a dashboard chart's answer. */

import type { AnswerAbout, AnswerHead, AnswerTable } from '../../../../table/src/answer.ts';
import type { ChartKind } from '../../../../table/src/chart/chart.ts';
import { chartShape } from '../../../../table/src/chart/shape.ts';
import type { TableViewState } from '../../../../table/src/viewState.ts';
import type { Arrangements } from '../../results/arrangements.ts';
import type { Card } from '../model/dashboard.ts';

const kindNames: Readonly<Record<ChartKind, string>> = {
  timeSeries: 'a time series',
  topList: 'a top list',
  pie: 'a pie chart',
  heatmap: 'a heatmap',
  scatter: 'a scatter chart',
  statistic: 'a statistic',
  logStream: 'a log',
};

/** Returns the view state, and sentences that explain how the drawn chart differs from the dashboard document. */
export function presentation(
  card: Card,
  head: AnswerHead,
  about: AnswerAbout,
  arrangements: Arrangements,
) {
  // Show the first table if the answer has no totals.
  const totals = card.totals ? head.tables.findIndex(({ name }) => name === '_totals') : -1;
  const table = Math.max(0, totals);
  const found = head.tables[table];
  const tables = head.tables.map((each) => {
    const initial = arrangements.initial(about, each);
    const state: TableViewState = { ...initial, shown: card.shown, chart: card.choice };
    return card.columns === undefined ? state : withColumns(state, each, card.columns);
  });
  return {
    view: { table, tables },
    notices: found === undefined ? [] : noticesOf(card, found, head.aggregated),
  };
}

function noticesOf(card: Card, table: AnswerTable, aggregated: boolean): string[] {
  const { kind } = card.choice;
  if (card.shown === 'table' || kind === undefined || table.rowCount === 0) return [];
  const { kinds } = chartShape(table, aggregated);
  if (kinds.includes(kind)) return [];
  const instead = kinds[0] === undefined ? 'a table' : kindNames[kinds[0]];
  return [`The result cannot be drawn as ${kindNames[kind]}. It is shown as ${instead}.`];
}

/** Shows only the named columns, in the given order. Shows all columns if the table has none of the named ones. */
function withColumns(
  state: TableViewState,
  { fields }: AnswerTable,
  names: readonly string[],
): TableViewState {
  const listed = names
    .map((name) => fields.findIndex((field) => field.name === name))
    .filter((index) => index >= 0);
  if (listed.length === 0) return state;
  const others = state.columnOrder.filter((index) => !listed.includes(index));
  return { ...state, columnOrder: [...listed, ...others], hidden: others };
}

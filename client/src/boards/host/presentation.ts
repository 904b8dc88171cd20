/** How the answer of a chart of a dashboard is shown: the view state that its page begins with. */
import type { ChartKind } from '../../charts/chart.ts';
import { chartShape } from '../../charts/shape.ts';
import type { Arrangements } from '../../results/arrangements.ts';
import type { AnswerAbout, AnswerHead, AnswerTable } from '../../results/store/answer.ts';
import type { AnswerViewState, TableViewState } from '../../results/store/viewState.ts';
import type { Card } from '../model/dashboard.ts';

export interface Presentation {
  readonly view: AnswerViewState;
  /** What is shown otherwise than the document says, in sentences. */
  readonly notices: readonly string[];
}

const kindNames: Readonly<Record<ChartKind, string>> = {
  timeSeries: 'a time series',
  topList: 'a top list',
  pie: 'a pie chart',
  heatmap: 'a heatmap',
  scatter: 'a scatter chart',
  statistic: 'a statistic',
  logStream: 'a log',
};

export function presentation(
  card: Card,
  head: AnswerHead,
  about: AnswerAbout,
  arrangements: Arrangements,
): Presentation {
  const table = shownTable(card, head);
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

/** A summary over time comes with its totals, which say more in a pie or a list. */
function shownTable({ totals }: Card, { tables }: AnswerHead): number {
  const at = totals ? tables.findIndex(({ name }) => name === '_totals') : -1;
  return Math.max(0, at);
}

function noticesOf(card: Card, table: AnswerTable, aggregated: boolean): string[] {
  const { kind } = card.choice;
  if (card.shown === 'table' || kind === undefined || table.rowCount === 0) return [];
  const { kinds } = chartShape(table, aggregated);
  if (kinds.includes(kind)) return [];
  const instead = kinds[0] === undefined ? 'a table' : kindNames[kinds[0]];
  return [`The result cannot be drawn as ${kindNames[kind]}. It is shown as ${instead}.`];
}

/** The columns that are listed come first, in their order; the others are hidden, unless none is there. */
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

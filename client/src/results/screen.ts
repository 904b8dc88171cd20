/** Creates the results page's content for a tab: text and columns, never rows. */

import { counted, grouped } from '../../../formats/src/counts.ts';
import type { AnswerField, AnswerHead, AnswerTable } from '../../../table/src/answer.ts';
import { jsonText } from '../../../table/src/cells.ts';
import type { ChartShape } from '../../../table/src/chart/chart.ts';
import { isSeverity } from '../../../table/src/chart/fields.ts';
import { chartShape } from '../../../table/src/chart/shape.ts';
import { cutText, shortened } from '../../../table/src/visibleText.ts';
import type { HeldAnswer } from '../answers/heldAnswer.ts';
import type { Arranged, DrawnSize } from '../answers/protocol.ts';
import { answerIn } from '../answers/slots.ts';
import type {
  CancelledTabState,
  FailedTabState,
  ResultTab,
  ResultTabState,
  ResultTabs,
  RunningTabState,
  TabAction,
} from '../answers/tabs.ts';
import type { ChartState } from '../charts/host/chartEffects.ts';
import { typeName } from '../schema/fieldTypes.ts';
import { limitedByDefault, noticesOf } from './answerNotices.ts';
import { columnKind } from './columnKinds.ts';
import type {
  FailedContent,
  GoneContent,
  ResultContent,
  Running,
  Screen,
  TabStrip,
  ViewAction,
  ViewCancelled,
  ViewColumn,
  ViewNotice,
  ViewTable,
} from './pageContent.ts';
import { tabLabels } from './tabLabels.ts';

/** Returns a table's display name, because the service's names `0`, `1` and `_totals` mean little to users. */
function tableLabel(name: string, index: number): string {
  if (name === '_totals') return 'Totals';
  return index === 0 ? 'Rows' : `Table ${index + 1}`;
}

interface TablePresentation {
  readonly arranged: Arranged;
  readonly sizes: readonly DrawnSize[];
  /** Whether the rows are summaries of events. */
  readonly aggregated: boolean;
  /** Whether summaries over time open as charts until the user chooses a view. */
  readonly chartsFirst: boolean;
}

const filterMax = 80;
const labelMax = 300;
const parametersMax = 500;
const tooltipMax = 1_000;
const tooltipLinesMax = 20;

type Zones = Pick<Screen, 'timeZone' | 'localZone'>;

export function viewTable(
  table: AnswerTable,
  index: number,
  { arranged, sizes, aggregated, chartsFirst }: TablePresentation,
  zones: Zones,
): ViewTable {
  const chart = chartShape(table, aggregated);
  const [from, to] = [Date.parse(table.range?.start ?? ''), Date.parse(table.range?.end ?? '')];
  return {
    label: tableLabel(table.name, index),
    ...arranged,
    ...(table.removedRows !== undefined && { removedRows: table.removedRows }),
    ...(from < to && { range: { from, to } }),
    chart,
    chartFirst: isChartFirst(chart, { aggregated, chartsFirst }),
    columns: table.fields.map((field, at) =>
      viewColumn(field, sizes[at] ?? { characters: 1 }, zones),
    ),
  };
}

/** Whether a result opens as a chart until the user chooses a view. */
export function isChartFirst(
  { kinds }: ChartShape,
  { aggregated, chartsFirst }: Pick<TablePresentation, 'aggregated' | 'chartsFirst'>,
): boolean {
  const [kind] = kinds;
  // Other kinds of charts show nothing more at a glance than their table.
  return chartsFirst && aggregated && (kind === 'timeSeries' || kind === 'heatmap');
}

function viewColumn(field: AnswerField, size: DrawnSize, zones: Zones): ViewColumn {
  const { name, type, description } = field;
  const kind = columnKind(type);
  const zone = zones.timeZone === 'utc' ? 'UTC' : zones.localZone;
  const unit = kind === 'time' ? zone : field.unit;
  return {
    name,
    type: typeName(type),
    kind,
    ...(unit !== undefined && { unit }),
    ...(description !== undefined && { description }),
    ...size,
    severity: isSeverity(field),
  };
}

export function resultContent(
  { title, query }: ResultTab,
  { id, head, about }: HeldAnswer,
  {
    hint,
    charts,
    stopped,
    ...shown
  }: Pick<ResultContent, 'tables' | 'view' | 'more' | 'loadsAll'> & {
    readonly hint?: ResultTabState['hint'] | undefined;
    readonly charts?: ChartState | undefined;
    readonly stopped?: string | undefined;
  },
): ResultContent {
  return {
    kind: 'result',
    answer: id,
    title,
    label: gridLabel(title, query, about.query),
    summary: summaryOf({ head, about }),
    notices: noticesOf(head),
    ...(hint && { hint: { message: hint.message, actions: viewActions(hint.actions) } }),
    ...shown,
    ...(stopped !== undefined && { stopped }),
    editable: query.place?.range !== undefined,
    ...(charts && { charts: viewCharts(charts) }),
    rangeLabel: about.rangeLabel,
  };
}

/** Labels a result's rows for screen readers: the query, preceded by the tab's title if that is a separate name. */
function gridLabel(title: string, { title: own, stages }: ResultTab['query'], made: string) {
  const shown = shortened(made.trim().replace(/[ \t\r\n]+/g, ' '), labelMax);
  const isOwn = title.trim() === '' || title === made || (title === own && stages !== undefined);
  return (isOwn ? shown : `${title}: ${shown}`) || 'Result';
}

/** Shortens the filter, because it may quote a value of any length. */
function viewCharts({ filter, ...state }: ChartState): ChartState {
  return filter === undefined ? state : { ...state, filter: shortened(filter, filterMax) };
}

/** Removes the commands' arguments, because pages must not receive them. */
export function viewActions(actions: readonly TabAction[]): readonly ViewAction[] {
  return actions.map(({ label, command, readyAt }) => ({
    label,
    command,
    ...(readyAt !== undefined && { readyAt }),
  }));
}

export function failedContent({ title }: ResultTab, state: FailedTabState): FailedContent {
  return {
    kind: 'failed',
    title,
    message: state.message,
    ...(state.traceId !== undefined && { traceId: state.traceId }),
    actions: viewActions(state.actions),
  };
}

export function goneContent(
  tab: ResultTab,
  state: HeldAnswer['state'],
  runAgain: TabAction,
): GoneContent {
  const message =
    state === 'lost'
      ? 'The process that held the rows of this result has ended. Run the query again.'
      : 'The rows of this result were removed to make room for newer ones. Run the query again.';
  const actions = viewActions([runAgain]);
  return { kind: 'gone', title: tab.title, message, actions };
}

/** `arriving` is the run's answer if its first rows are shown. */
export function viewRunning(
  { startedAt, deployment, rangeLabel, wait }: RunningTabState,
  arriving: HeldAnswer | undefined,
): Running {
  return {
    startedAt,
    deployment,
    rangeLabel,
    ...(wait && { wait }),
    ...(arriving && { arrivedRows: arriving.head.tables[0]?.rowCount ?? 0 }),
  };
}

export function viewCancelled({ elapsed }: CancelledTabState, runAgain: TabAction): ViewCancelled {
  return { message: `Cancelled after ${duration(elapsed)}`, actions: viewActions([runAgain]) };
}

/** `isProduction` returns whether a tab's deployment is marked as production. */
export function tabStrip(
  { tabs, active }: ResultTabs,
  isProduction: (tab: ResultTab) => boolean,
): TabStrip {
  const labels = tabLabels(tabs);
  return {
    active: active?.id ?? null,
    tabs: tabs.map((tab) => {
      const { id, title, query, pinned, state } = tab;
      return {
        id,
        title: title || 'Result',
        label: (labels.get(id) ?? title) || 'Result',
        query: shortQuery(query.text) || title,
        pinned,
        running: state.kind === 'running',
        failed: state.kind === 'failed',
        production: isProduction(tab),
      };
    }),
  };
}

/** Returns the deployment that a tab queries or has queried; undefined if it is unknown. */
export function tabDeployment(
  { query, state }: ResultTab,
  answerOf: (id: string) => HeldAnswer | undefined,
): string | undefined {
  if (state.kind === 'running') return state.deployment;
  const shown = answerIn(state);
  return (shown === undefined ? undefined : answerOf(shown))?.about.deployment ?? query.deployment;
}

export function productionNotice(deployment: string): ViewNotice {
  const message = `${deployment} is marked as production.`;
  return { severity: 'warning', label: 'Production', message };
}

function shortQuery(text: string): string {
  const all = text.trim().replace(/\r\n?/g, '\n');
  const shown = cutText(all.split('\n', tooltipLinesMax).join('\n'), tooltipMax);
  return shown.length < all.length ? `${shown}…` : shown;
}

function summaryOf({ head, about }: Pick<HeldAnswer, 'head' | 'about'>): string[] {
  const rows = head.tables[0]?.rowCount ?? 0;
  // Results computed locally, such as comparisons, have no statistics from the service.
  const { elapsedTime, rowsExamined, rowsMatched = 0 } = head.status;
  const cut = hasEvents(head) && rowsMatched > rows;
  return [
    cut ? `${grouped(rows)} of ${grouped(rowsMatched)} rows` : counted(rows, 'row'),
    elapsedTime === undefined ? '' : duration(elapsedTime / 1_000),
    ...(head.aggregated ? [`${grouped(rowsMatched)} matched`] : []),
    rowsExamined === undefined ? '' : `${grouped(rowsExamined)} examined`,
    about.rangeLabel,
    about.deployment,
    parametersText(about.variables ?? {}),
  ].filter((part) => part !== '');
}

/** Formats a run's parameter values, such as `p = 5, city = 'Porto'`. */
export function parametersText(variables: Readonly<Record<string, unknown>>): string {
  const text = Object.entries(variables)
    .map(
      ([name, value]) => `${name} = ${typeof value === 'string' ? `'${value}'` : jsonText(value)}`,
    )
    .join(', ');
  return shortened(text, parametersMax);
}

/** Whether the rows are matched events, so that the row count and the match count can be compared. */
function hasEvents(head: AnswerHead): boolean {
  const { aggregated, cursors, tables } = head;
  if (aggregated) return false;
  const hasTime = tables[0]?.fields.some(
    ({ name, type }) => name === '_time' && type === 'datetime',
  );
  const hasCursor = cursors.oldest !== undefined || cursors.newest !== undefined;
  return hasTime === true || hasCursor || limitedByDefault(head);
}

/** Formats milliseconds: `0.4 ms`, `12 ms`, `3.2 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

/**
 * Reads a dashboard document tolerantly. Members of a wrong type count as absent. Unknown charts keep their queries.
 */
import { parsedJson } from '../../../../api/src/plain.ts';
import { type Members, membersOf } from '../../../../resources/src/value.ts';
import type {
  ChartChoice,
  ChartKind,
  MissingValues,
  SeriesStyle,
} from '../../../../table/src/chart/chart.ts';
import type { TimeRange } from '../../time/timeRange.ts';
import { type LayoutItem, type Place, places } from './layout.ts';
import { againstMinutes, windowOf } from './timeWindow.ts';

/** The kind of a card's content. Charts, tables, monitor lists and filters may need requests. */
export type CardKind =
  | 'chart'
  | 'table'
  | 'note'
  | 'spacer'
  | 'monitors'
  | 'filters'
  /** A chart of an unknown type, or with an unknown query language. */
  | 'unknown';

interface TypeRow {
  readonly kind: CardKind;
  readonly chart?: ChartKind;
  readonly size: { readonly w: number; readonly h: number };
  /** Whether the chart shows the answer's totals even if the answer also has a time series. */
  readonly totals?: boolean;
}

/** The documented chart types, by their type names in documents. */
const types: Readonly<Record<string, TypeRow>> = {
  TimeSeries: { kind: 'chart', chart: 'timeSeries', size: { w: 6, h: 4 } },
  Heatmap: { kind: 'chart', chart: 'heatmap', size: { w: 6, h: 4 } },
  Scatter: { kind: 'chart', chart: 'scatter', size: { w: 6, h: 4 } },
  Pie: { kind: 'chart', chart: 'pie', size: { w: 4, h: 4 }, totals: true },
  TopK: { kind: 'chart', chart: 'topList', size: { w: 4, h: 4 }, totals: true },
  Statistic: { kind: 'chart', chart: 'statistic', size: { w: 3, h: 3 } },
  LogStream: { kind: 'chart', chart: 'logStream', size: { w: 12, h: 6 } },
  Table: { kind: 'table', size: { w: 6, h: 5 }, totals: true },
  Note: { kind: 'note', size: { w: 6, h: 2 } },
  Spacer: { kind: 'spacer', size: { w: 12, h: 1 } },
  MonitorList: { kind: 'monitors', size: { w: 6, h: 4 } },
  SmartFilter: { kind: 'filters', size: { w: 12, h: 1 } },
};
const unknownType: TypeRow = { kind: 'unknown', size: { w: 6, h: 4 } };

export function typeNamed(kind: ChartKind): string | undefined {
  return Object.keys(types).find((name) => types[name]?.chart === kind);
}

export interface BoardFilter {
  /** The name of the query parameter that the filter sets. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'select' | 'search';
  /** A selection list's fixed options. */
  readonly options: readonly FilterOption[];
  /** A query that returns more options: labels in its first column, values in its second column. */
  readonly apl?: string;
  /** The default option's value, or the first option's value if no default is set. */
  readonly initial: string;
}

export interface FilterOption {
  readonly label: string;
  readonly value: string;
}

export interface Card {
  readonly id: string;
  /** The type name in the document. */
  readonly type: string;
  readonly name: string;
  readonly kind: CardKind;
  readonly place: Place;
  readonly apl?: string;
  readonly text?: string;
  readonly filters: readonly BoardFilter[];
  /** The chart's kind and style. Which columns it draws depends on the answer. */
  readonly choice: ChartChoice;
  readonly shown: 'chart' | 'table';
  readonly totals: boolean;
  /** The columns that a table shows; absent for all columns. */
  readonly columns?: readonly string[];
  /** The IDs of the monitors in a list; absent for all monitors. */
  readonly monitors?: readonly string[];
}

export interface Board {
  readonly name: string;
  readonly description: string;
  readonly window: TimeRange;
  /** The refresh interval in seconds; 0 disables refreshing. */
  readonly refreshSeconds: number;
  /** The comparison offset in minutes; 0 disables the comparison. */
  readonly againstMinutes: number;
  readonly cards: readonly Card[];
}

export function readBoard(document: unknown): Board {
  const board = membersOf(document);
  const items = [...chartsById(listOf(board.charts).map(membersOf))];
  const sized = items.map(([id, chart]) => ({ id, size: typeRow(chart).size }));
  const placed = places(sized, listOf(board.layout).flatMap(layoutItem));
  return {
    name: textOf(board.name) ?? '',
    description: textOf(board.description) ?? '',
    window: windowOf(board.timeWindowStart, board.timeWindowEnd),
    refreshSeconds: refreshSecondsOf(board.refreshTime),
    againstMinutes: againstMinutes(board.against) ?? 0,
    cards: items.map(([id, chart]) => cardOf(chart, id, placed.get(id) as Place)),
  };
}

/** Refresh bounds in seconds. The service accepts 15, 60 and 300. A timer of several months would fire immediately. */
const refreshSecondsMin = 5;
const refreshSecondsMax = 86_400;

function refreshSecondsOf(value: unknown): number {
  const seconds = numberOf(value) ?? 0;
  return seconds > 0 ? Math.min(refreshSecondsMax, Math.max(refreshSecondsMin, seconds)) : 0;
}

/** Returns the charts by unique ID. Replaces missing and repeated IDs. */
function chartsById(charts: readonly Members[]): ReadonlyMap<string, Members> {
  const own = new Set(charts.map(({ id }) => id));
  const found = new Map<string, Members>();
  for (const [index, chart] of charts.entries()) {
    let id = textOf(chart.id);
    for (let number = index + 1; id === undefined || found.has(id); number += 1) {
      const made = `chart ${number}`;
      if (!own.has(made)) id = made;
    }
    found.set(id, chart);
  }
  return found;
}

function typeRow({ type }: Members): TypeRow {
  return known(types, type) ?? unknownType;
}

function cardOf(chart: Members, id: string, place: Place): Card {
  const row = typeRow(chart);
  const query = membersOf(chart.query);
  const apl = textOf(query.apl);
  const options = membersOf(query.queryOptions);
  const needsQuery = row.kind === 'chart' || row.kind === 'table';
  const isTable = row.kind === 'table' || options.timeSeriesView === 'resultsTable';
  const columns = columnsOf(options.shownColumns);
  const monitors = listOf(chart.monitorIds ?? chart.monitors).flatMap((item) => textOf(item) ?? []);
  const note = textOf(chart.text) ?? textOf(chart.markdown) ?? textOf(chart.content);
  return {
    id,
    type: textOf(chart.type) ?? '',
    name: textOf(chart.name) ?? '',
    kind: needsQuery && apl === undefined ? 'unknown' : row.kind,
    place,
    ...(apl !== undefined && { apl }),
    ...(note !== undefined && { text: note }),
    filters: listOf(chart.filters).map(membersOf).flatMap(filterOf),
    choice: { ...(row.chart && { kind: row.chart }), ...choiceOf(options) },
    shown: isTable ? 'table' : 'chart',
    totals: row.totals === true,
    ...(columns && { columns }),
    ...(monitors.length > 0 && { monitors }),
  };
}

const variants: Readonly<Record<string, SeriesStyle>> = {
  area: 'area',
  bars: 'bars',
  line: 'line',
  lines: 'line',
};
const nulls: Readonly<Record<string, MissingValues>> = {
  null: 'gap',
  span: 'linear',
  zero: 'zero',
};

function choiceOf({ timeSeriesVariant, displayNull }: Members): ChartChoice {
  const style = known(variants, timeSeriesVariant);
  const missing = known(nulls, displayNull);
  return { ...(style && { style }), ...(missing && { missing }) };
}

function known<T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Reads names from a list, from JSON text, or from comma-separated text. */
function columnsOf(value: unknown): readonly string[] | undefined {
  const parsed = typeof value === 'string' ? parsedJson(value) : value;
  const listed = Array.isArray(parsed) ? parsed : textOf(value)?.split(',');
  const names = listOf(listed).flatMap((name) => textOf(name)?.trim() || []);
  return names.length > 0 ? names : undefined;
}

function filterOf(filter: Members): BoardFilter[] {
  const id = textOf(filter.id);
  if (id === undefined || filter.active === false) return [];
  const listed = listOf(filter.options).map(membersOf);
  const options = listed.flatMap(({ key, value }) => {
    const label = textOf(key);
    return label === undefined ? [] : [{ label, value: textOf(value) ?? '' }];
  });
  const byDefault = listed.find((option) => option.default === true);
  const apl =
    textOf(filter.apl) ?? textOf(membersOf(filter.apl).apl) ?? textOf(membersOf(filter.query).apl);
  const isSearch = filter.type === 'search';
  return [
    {
      id,
      name: textOf(filter.name) ?? id,
      kind: isSearch ? 'search' : 'select',
      options: isSearch ? [] : options,
      ...(apl !== undefined && !isSearch && { apl }),
      initial: isSearch ? '' : (textOf(byDefault?.value) ?? options[0]?.value ?? ''),
    },
  ];
}

function layoutItem(value: unknown): LayoutItem[] {
  const i = textOf(membersOf(value).i);
  return i === undefined ? [] : [{ i, ...positionOf(value) }];
}

export function positionOf(value: unknown): Omit<LayoutItem, 'i'> {
  const { x, y, w, h } = membersOf(value);
  return { x: numberOf(x), y: numberOf(y), w: numberOf(w), h: numberOf(h) };
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Reads a finite number. Integers in documents may be `bigint`. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export function usesFilter(apl: string, id: string): boolean {
  const name = id.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(apl);
}

/** Adds a chart to a dashboard document, and leaves everything else unchanged. */
import { DASHBOARD_NAME_LENGTH_MAX, DASHBOARD_OWNER_EVERYONE } from '../../../../api/src/plain.ts';
import { type Members, membersOf } from '../../../../resources/src/value.ts';
import type { ChartKind, SeriesStyle } from '../../../../table/src/chart/chart.ts';
import { listOf, positionOf, typeNamed } from './dashboard.ts';
import { bottomOf, gridColumns, type LayoutItem, type Place } from './layout.ts';

export interface NewChart {
  readonly name: string;
  readonly apl: string;
  /** The kind of chart; absent for a table. */
  readonly kind?: ChartKind;
  readonly style?: SeriesStyle;
}

const size = { w: 6, h: 4 };

export function withChart(document: Members, { name, apl, kind, style }: NewChart): Members {
  const charts = listOf(document.charts);
  const layout = listOf(document.layout);
  const id = newId(name, new Set(charts.map((chart) => membersOf(chart).id)));
  const chart = {
    id,
    type: kind === undefined ? 'Table' : typeNamed(kind),
    name,
    query: {
      apl,
      ...(kind === 'timeSeries' && style && { queryOptions: { timeSeriesVariant: style } }),
    },
  };
  return {
    ...document,
    charts: [...charts, chart],
    layout: [...layout, { i: id, ...freePlace(layout.map(positionOf)), ...size }],
  };
}

/** Returns the position next to the last chart if its row has enough space, or else below all charts. */
function freePlace(items: readonly Omit<LayoutItem, 'i'>[]): Pick<Place, 'x' | 'y'> {
  const bottom = bottomOf(items);
  const inRow = items.filter(({ y, h }) => (y ?? 0) + (h ?? 1) === bottom);
  const [only] = inRow;
  const right = (only?.x ?? 0) + (only?.w ?? 1);
  const fits = inRow.length === 1 && only?.h === size.h && right + size.w <= gridColumns;
  return fits ? { x: right, y: bottom - size.h } : { x: 0, y: bottom };
}

function newId(name: string, taken: ReadonlySet<unknown>): string {
  const word = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const base = word.slice(0, 60) || 'chart';
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(id)) return id;
  }
}

/** Creates a dashboard document that everyone in the organization can read. */
export function newDashboard(name: string): Members {
  return {
    name: name.slice(0, DASHBOARD_NAME_LENGTH_MAX),
    owner: DASHBOARD_OWNER_EVERYONE,
    charts: [],
    layout: [],
    refreshTime: 60,
    schemaVersion: 2,
    timeWindowStart: 'qr-now-1h',
    timeWindowEnd: 'qr-now',
  };
}

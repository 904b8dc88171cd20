/** Dashboards for the tests of their page, and the answers to their queries. */

import type { CardQuestion } from '../../../client/src/boards/host/cards.ts';
import type { Members } from '../../../resources/src/value.ts';
import { byMethod, byPath, events, percentiles, single } from '../results/chartSamples.ts';
import { result, type Sample, type SampleTable } from '../results/samples.ts';

const tables: Readonly<Record<string, SampleTable>> = {
  series: byMethod(),
  latency: percentiles(),
  paths: byPath,
  share: byPath,
  number: single,
  heat: byMethod(),
  points: events,
  log: events,
};

/** Returns the sample table that the query of a chart names. */
export function answerTo({ apl, title }: CardQuestion): Sample {
  const name = /\['(\w+)'\]/.exec(apl)?.[1] ?? '';
  const table = tables[name];
  if (table === undefined) throw new Error(`No table answers ${apl}`);
  return result([table], { title, messages: [] });
}

const chart = (id: string, type: string, name: string, table?: string, more: object = {}) => ({
  id,
  type,
  name,
  ...(table !== undefined && { query: { apl: `['${table}'] | summarize count()` } }),
  ...more,
});

const note = `# Web service

Requests of the **edge**, see the [runbook](https://example.com/runbook).

- *p99* above \`500 ms\` pages
- ![diagram](https://example.com/diagram.png)

<script>alert(1)</script>`;

/** A dashboard with every type of chart. */
export const everything: Members = {
  uid: 'web',
  version: 3,
  dashboard: {
    name: 'Web service',
    description: 'What the edge serves',
    refreshTime: 60,
    timeWindowStart: 'qr-now-1h',
    timeWindowEnd: 'qr-now',
    charts: [
      {
        id: 'filters',
        type: 'SmartFilter',
        name: '',
        filters: [
          {
            id: 'method_filter',
            name: 'Method',
            type: 'select',
            options: [
              { key: 'All', value: '', default: true },
              { key: 'GET', value: 'GET' },
              { key: 'POST', value: 'POST' },
            ],
          },
          { id: 'agent_filter', name: 'User agent', type: 'search' },
        ],
      },
      chart('requests', 'TimeSeries', 'Requests by method', 'series'),
      chart('latency', 'TimeSeries', 'Latency', 'latency'),
      chart('errors', 'Statistic', 'Errors', 'number'),
      chart('paths', 'TopK', 'Paths', 'paths'),
      chart('share', 'Pie', 'Share of paths', 'share'),
      chart('table', 'Table', 'Paths as a table', 'paths'),
      chart('heat', 'Heatmap', 'Durations', 'heat'),
      chart('points', 'Scatter', 'Size and duration', 'points'),
      chart('log', 'LogStream', 'Log', 'log'),
      { id: 'note', type: 'Note', name: '', text: note },
      { id: 'space', type: 'Spacer', name: '' },
      { id: 'monitors', type: 'MonitorList', name: 'Monitors' },
      chart('flow', 'Sankey', 'Flow', 'series'),
      chart('metric', 'TimeSeries', 'CPU', undefined, { query: { mpl: 'cpu' } }),
    ],
    layout: [
      { i: 'filters', x: 0, y: 0, w: 12, h: 1 },
      { i: 'requests', x: 0, y: 1, w: 6, h: 4 },
      { i: 'latency', x: 6, y: 1, w: 6, h: 4 },
      { i: 'errors', x: 0, y: 5, w: 3, h: 3 },
      { i: 'paths', x: 3, y: 5, w: 5, h: 3 },
      { i: 'note', x: 8, y: 5, w: 4, h: 3 },
      { i: 'share', x: 0, y: 8, w: 4, h: 4 },
      { i: 'table', x: 4, y: 8, w: 8, h: 4 },
      { i: 'space', x: 0, y: 12, w: 12, h: 1 },
      { i: 'heat', x: 0, y: 13, w: 6, h: 4 },
      { i: 'points', x: 6, y: 13, w: 6, h: 4 },
      { i: 'log', x: 0, y: 17, w: 12, h: 4 },
      { i: 'monitors', x: 0, y: 21, w: 4, h: 3 },
      { i: 'flow', x: 4, y: 21, w: 4, h: 3 },
      { i: 'metric', x: 8, y: 21, w: 4, h: 3 },
    ],
  },
};

/** A dashboard of thirty charts, three in a row. */
export const thirty: Members = {
  uid: 'thirty',
  version: 1,
  dashboard: {
    name: 'Thirty charts',
    refreshTime: 0,
    charts: Array.from({ length: 30 }, (_, index) =>
      chart(
        `c${index}`,
        index % 3 === 2 ? 'TopK' : 'TimeSeries',
        `Chart ${index + 1}`,
        index % 3 === 2 ? 'paths' : 'series',
      ),
    ),
    layout: Array.from({ length: 30 }, (_, index) => ({
      i: `c${index}`,
      x: (index % 3) * 4,
      y: Math.floor(index / 3) * 4,
      w: 4,
      h: 4,
    })),
  },
};

export const monitor: Members = {
  id: 'm1',
  name: 'Errors',
  type: 'Threshold',
  description: 'Too many errors',
  aplQuery: "['logs'] | where status >= 500 | summarize count() by bin(_time, 5m), host",
  operator: 'Above',
  threshold: 10,
  intervalMinutes: 5,
  rangeMinutes: 15,
  triggerAfterNPositiveResults: 2,
  triggerFromNRuns: 3,
};

/** Recorded previews and reports of the reader and runs, for pages without files or a deployment. */
import { Readable } from 'node:stream';
import type { FinishedReport } from '../../../client/src/ingest/host/engine.ts';
import type { FileSource, Preview, RunReport } from '../../../ingest/src/contract.ts';
import type { ReadSettings } from '../../../ingest/src/settings.ts';

/** Creates a file of this size whose content is not read. */
export function emptySource(name: string, size: number): FileSource {
  return { name, path: `/data/${name}`, size, open: () => Readable.from([]) };
}

const plain = { compression: 'none', encoding: 'utf-8', labels: {}, broken: 'skip' } as const;

export const weatherSettings: ReadSettings = {
  ...plain,
  format: 'csv',
  csv: {
    delimiter: ',',
    header: true,
    names: ['date', 'precipitation', 'temp_max', 'weather'],
    types: { precipitation: 'number', temp_max: 'number' },
  },
  time: { field: 'date', format: { kind: 'layout', layout: '2006/01/02' }, zone: 'UTC' },
};

export function weather(settings: ReadSettings = weatherSettings): Preview {
  const day = (index: number) =>
    new Date(Date.UTC(2012, 0, 1 + index)).toISOString().replace('.000Z', '.000000000Z');
  return {
    settings,
    fields: [
      { name: '_time', nameInFile: 'date', types: ['datetime'], eventCount: 100 },
      { name: 'precipitation', types: ['float'], eventCount: 100 },
      { name: 'temp_max', types: ['float'], eventCount: 100 },
      { name: 'weather', types: ['string'], eventCount: 100 },
    ],
    events: Array.from({ length: 100 }, (_, index) => ({
      line: index + 2,
      cells: [
        `"${day(index)}"`,
        (index % 7 === 0 ? 0 : index / 10).toFixed(1),
        `${(index % 20) + 0.6}`,
        index % 9 === 0 ? 'null' : `"${['drizzle', 'rain', 'sun'][index % 3]}"`,
      ],
    })),
    time: {
      candidates: [
        {
          settings: weatherSettings.time as NonNullable<ReadSettings['time']>,
          sample: '2012/01/01',
          hasZone: false,
        },
      ],
      ...(settings.time && { first: day(0), last: day(99) }),
      withoutTime: settings.time ? 0 : 100,
    },
    broken: [],
    notices: [],
    complete: false,
  };
}

export function logs(settings: Partial<ReadSettings> = {}): Preview {
  const time = { field: 'ts', format: { kind: 'epoch', unit: 'ms' }, zone: 'UTC' } as const;
  return {
    settings: { ...plain, format: 'ndjson', time, ...settings },
    fields: [
      { name: '_time', nameInFile: 'ts', types: ['datetime'], eventCount: 18 },
      { name: 'level', types: ['string'], eventCount: 18 },
      { name: 'message', types: ['string'], eventCount: 18 },
      { name: 'status', types: ['integer', 'string'], eventCount: 17 },
      { name: 'geo.city', types: ['string'], eventCount: 12 },
      { name: '_user__source', nameInFile: '_source', types: ['string'], eventCount: 18 },
      { name: 'tags', types: ['array'], eventCount: 18 },
    ],
    events: Array.from({ length: 18 }, (_, index) => ({
      line: index + 1 + (index > 6 ? 2 : 0),
      cells: [
        `"2026-11-21T09:14:${String(index).padStart(2, '0')}.118394221Z"`,
        `"${['info', 'warn', 'error'][index % 3]}"`,
        JSON.stringify(
          index === 3
            ? `GET /items/${'very/long/'.repeat(60)} <script>alert(1)</script>`
            : `request ${index}\tdone`,
        ),
        index === 5 ? undefined : index === 8 ? '"timeout"' : `${200 + index}`,
        index % 3 === 0 ? undefined : index % 4 === 0 ? 'null' : '"Lisbon"',
        '"nginx"',
        `["a",${index}]`,
      ],
    })),
    time: {
      candidates: [{ settings: time, sample: '1795252442118', hasZone: true }],
      first: '2026-11-21T09:14:00.118394221Z',
      last: '2026-11-21T09:14:17.118394221Z',
      withoutTime: 0,
    },
    broken: [
      {
        line: 8,
        lastLine: 8,
        reason: 'A comma or the end of the object is missing after column 31.',
        text: '{"ts":1795252442125,"level":"info" "message":"x"}',
      },
      { line: 9, lastLine: 9, reason: 'The line is not JSON.', text: '--- restarted ---' },
    ],
    notices: [
      {
        code: 'reserved-field',
        message: 'The field _source is reserved. It is stored as _user__source.',
        fields: ['_source'],
      },
      {
        code: 'type-conflict',
        message:
          'The field status has integers and strings here; http-logs stores it as an integer. Such values are stored in a second column of the field.',
        fields: ['status'],
      },
    ],
    complete: true,
  };
}

export const completeReport: FinishedReport = {
  file: 'weather.csv',
  dataset: 'weather',
  outcome: 'complete',
  read: 1_461,
  stored: 1_461,
  failed: 0,
  skipped: 0,
  unsent: 0,
  bytes: 48_219,
  durationMs: 212,
  failures: [],
  reasons: [],
  doubt: [],
  messages: [],
  firstTime: '2012-01-01T00:00:00Z',
  lastTime: '2015-12-31T00:00:00Z',
};

const failures: RunReport['failures'] = [
  {
    line: 8,
    lastLine: 8,
    by: 'reader',
    reason: 'A comma or the end of the object is missing after column 31.',
    text: '{"ts":1795252442125,"level":"info" "message":"x"}',
  },
  {
    line: 1_204,
    lastLine: 1_206,
    by: 'service',
    reason: 'the field limit of 256 is reached',
    text: '{"ts":1795252442125,"a":{"b":1}}',
  },
];

export const cutReport: FinishedReport = {
  file: 'app.ndjson',
  dataset: 'app-logs',
  outcome: 'stopped',
  problem:
    'Cannot reach eu-central-1.aws.edge.axiom.co: the connection was closed before the response was complete.',
  read: 40_000,
  stored: 28_995,
  failed: 5,
  skipped: 3,
  unsent: 1_000,
  bytes: 31_000_000,
  durationMs: 94_000,
  failures,
  reasons: [
    { reason: 'the field limit of 256 is reached', count: 5 },
    { reason: 'The line is not JSON.', count: 3 },
  ],
  doubt: [{ firstLine: 20_001, lastLine: 30_000, events: 10_000 }],
  messages: ['2 fields were dropped because the schema of app-logs is locked.'],
  firstTime: '2026-11-20T00:00:00Z',
  lastTime: '2026-11-21T10:00:00Z',
  failedFile: '/data/app.failed.ndjson',
  resumeLine: 30_001,
  resumable: 'run-1',
};

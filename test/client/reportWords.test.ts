// The notification for each outcome of an ingest run.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { reportInWords } from '../../client/src/ingest/reportWords.ts';
import type { FailedEvent, RunReport } from '../../ingest/src/contract.ts';

const complete: RunReport = {
  file: 'a.ndjson',
  dataset: 'data',
  outcome: 'complete',
  read: 12_000,
  stored: 12_000,
  failed: 0,
  unsent: 0,
  skipped: 0,
  bytes: 1,
  durationMs: 1,
  failures: [],
  reasons: [],
  doubt: [],
  messages: [],
};

const failure = (line: number, reason: string): FailedEvent => ({
  line,
  lastLine: line,
  reason,
  text: '',
  by: 'service',
});

const rows: readonly (readonly [Partial<RunReport>, string])[] = [
  [{}, "Ingested 12,000 events from a.ndjson into 'data'."],
  [{ stored: 1 }, "Ingested 1 event from a.ndjson into 'data'."],
  [
    { messages: ['Field x was dropped'] },
    "Ingested 12,000 events from a.ndjson into 'data'. Field x was dropped.",
  ],
  [
    {
      stored: 11_998,
      failed: 1,
      skipped: 1,
      failures: [failure(7, 'It is not JSON.'), failure(1_200, 'too many fields')],
      reasons: [
        { reason: 'It is not JSON.', count: 1 },
        { reason: 'too many fields', count: 1 },
      ],
    },
    "Ingested 11,998 events from a.ndjson into 'data'. 2 events were not stored: It is not JSON (1, line 7); too many fields (1, line 1,200).",
  ],
  [
    {
      stored: 11_997,
      failed: 3,
      failures: [failure(7, 'no'), failure(8, 'no'), failure(9, 'no')],
      reasons: [{ reason: 'no', count: 3 }],
    },
    "Ingested 11,997 events from a.ndjson into 'data'. 3 events were not stored: no (first on line 7).",
  ],
  [
    {
      stored: 2_000,
      doubt: [
        { firstLine: 1, lastLine: 10_000, events: 10_000 },
        { firstLine: 12_001, lastLine: 12_001, events: 1 },
      ],
    },
    "Ingested 2,000 events from a.ndjson into 'data'. It is not known whether the events of lines 1 to 10,000, line 12,001 were stored.",
  ],
  [
    { outcome: 'stopped', stored: 0, problem: 'the token may not ingest.' },
    'a.ndjson was not ingested. The token may not ingest. No events were stored.',
  ],
  [
    { outcome: 'stopped', stored: 10_000, problem: 'Line 10,003: not JSON', resumeLine: 10_001 },
    "a.ndjson was not ingested completely. Line 10,003: not JSON. 10,000 events were stored in 'data'. The rest, from line 10,001, was not sent.",
  ],
  [
    { outcome: 'cancelled', stored: 1, resumeLine: 2 },
    "a.ndjson was not ingested completely. It was cancelled. 1 event was stored in 'data'. The rest, from line 2, was not sent.",
  ],
];

for (const [report, words] of rows) {
  it(`a run is reported as: ${words}`, () =>
    assert.equal(reportInWords({ ...complete, ...report }), words));
}

// The text of run reports on the ingest page and in notifications.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FinishedReport } from '../../../client/src/ingest/host/engine.ts';
import type { ReportView } from '../../../client/src/ingest/host/pageFacts.ts';
import { reportHeadline, sumText } from '../../../client/src/ingest/reportText.ts';
import { reportInWords } from '../../../client/src/ingest/reportWords.ts';
import { unsentReport } from '../../../client/src/ingest/unsentReport.ts';

const nothing: FinishedReport = {
  ...unsentReport('a.ndjson', 'data', undefined),
  outcome: 'stopped',
  durationMs: 1,
};
const stored: FinishedReport = { ...nothing, outcome: 'complete', read: 2, stored: 2 };
const view = (...reports: FinishedReport[]): ReportView => ({
  mode: 'ingest',
  files: reports.map((report, id) => ({
    id,
    name: report.file,
    hasLines: true,
    report,
    actions: [],
  })),
});

describe('the report of an ingest run', () => {
  it('counts the files with stored events in its headline', () => {
    const rejected: FinishedReport = { ...stored, stored: 0, failed: 2 };
    const partly: FinishedReport = { ...stored, outcome: 'cancelled' };
    assert.equal(
      reportHeadline(view(stored, partly, rejected, nothing)),
      "Ingested 2 of 4 files into 'data'.",
    );
  });

  it('has no sum of events if nothing was read', () => {
    assert.deepEqual(
      [nothing, stored].map((report) => sumText('ingest', report)),
      ['', '2 read = 2 stored + 0 failed.'],
    );
  });

  it('states that the file grew while it was read', () => {
    const grown = { ...stored, appendedBytes: 1_200 };
    assert.match(
      sumText('ingest', grown),
      / The file grew by 1\.2 kB while it was read\. Lines added/,
    );
    assert.match(reportInWords(grown), /The file grew while it was read\. Lines added/);
  });
});

// The notification of a run whose page is hidden.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FinishedReport } from '../../../client/src/ingest/host/engine.ts';
import type { FileReport, Mode } from '../../../client/src/ingest/host/pageFacts.ts';
import { reportNotice } from '../../../client/src/ingest/host/reportNotice.ts';
import { unsentReport } from '../../../client/src/ingest/unsentReport.ts';

const changeToken = { label: 'Change Token', command: 'aplomb.changeToken' };
const rejected: FinishedReport = unsentReport('a.csv', 'data', 'The service rejected the token.');

const notice = (mode: Mode, ...reports: readonly FinishedReport[]) =>
  reportNotice({
    mode,
    files: reports.map(
      (report, id): FileReport => ({
        id,
        name: report.file,
        hasLines: true,
        actions: report.problem === undefined ? [] : [changeToken],
        report,
      }),
    ),
  });

describe('the notification of a finished run', () => {
  it('states why a single file was not ingested, and offers the actions of its report', () => {
    assert.deepEqual(notice('ingest', rejected), {
      severity: 'error',
      message: 'a.csv was not ingested. The service rejected the token. No events were stored.',
      actions: [changeToken],
    });
  });

  it('states why events of a single file were not stored', () => {
    const { message, severity } = notice('ingest', {
      ...unsentReport('a.csv', 'data', undefined),
      outcome: 'complete',
      read: 3,
      stored: 2,
      failed: 1,
      failures: [
        { by: 'reader', line: 2, lastLine: 2, reason: 'The row has too many cells.', text: '1,2' },
      ],
      reasons: [{ reason: 'The row has too many cells.', count: 1 }],
    });
    assert.equal(severity, 'warning');
    assert.equal(
      message,
      "Ingested 2 events from a.csv into 'data'. 1 event was not stored: The row has too many cells (line 2).",
    );
  });

  it('states why the check of a single file ended early', () => {
    assert.equal(
      notice('check', { ...rejected, read: 5, problem: 'The compressed data ends early.' }).message,
      'a.csv has 5 events and no broken lines so far. Nothing was sent. The compressed data ends early.',
    );
  });

  it('counts the stored events if the run of a single file was cancelled', () => {
    assert.equal(
      notice('ingest', { ...unsentReport('a.csv', 'data', undefined), read: 9, stored: 5 }).message,
      "Cancelled. 5 events of a.csv were stored in 'data'.",
    );
  });

  it('only counts the ingested files if there are several, without reasons and actions', () => {
    assert.deepEqual(notice('ingest', rejected, rejected), {
      severity: 'error',
      message: "Ingested 0 of 2 files into 'data'.",
      actions: [],
    });
  });
});

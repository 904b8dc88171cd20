// Builds the report for a file of which no events were sent.
import type { RunReport } from '../../../ingest/src/contract.ts';

/** Returns the report of a run that failed with the problem; without a problem, of a cancelled run. */
export function unsentReport(file: string, dataset: string, problem?: string): RunReport {
  return {
    file,
    dataset,
    outcome: problem === undefined ? 'cancelled' : 'stopped',
    ...(problem !== undefined && { problem }),
    read: 0,
    stored: 0,
    failed: 0,
    unsent: 0,
    skipped: 0,
    bytes: 0,
    durationMs: 0,
    failures: [],
    reasons: [],
    doubt: [],
    messages: [],
  };
}

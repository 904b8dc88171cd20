// Converts line numbers in a selection to line numbers in its document.
import type { BrokenEvent, Preview } from '../../../../ingest/src/contract.ts';
import type { FinishedReport } from './engine.ts';

export function shiftPreview(preview: Preview, by: number): Preview {
  if (by === 0) return preview;
  return {
    ...preview,
    events: preview.events.map((event) => ({ ...event, line: event.line + by })),
    broken: preview.broken.map((event) => shiftEvent(event, by)),
  };
}

export function shiftReport(report: FinishedReport, by: number): FinishedReport {
  if (by === 0) return report;
  const { failures, doubt, resumeLine } = report;
  return {
    ...report,
    failures: failures.map((event) => shiftEvent(event, by)),
    doubt: doubt.map((range) => ({
      ...range,
      firstLine: range.firstLine + by,
      lastLine: range.lastLine + by,
    })),
    ...(resumeLine !== undefined && { resumeLine: resumeLine + by }),
  };
}

function shiftEvent<T extends BrokenEvent>(event: T, by: number): T {
  return { ...event, line: event.line + by, lastLine: event.lastLine + by };
}

// The notification about a finished run whose page isn't visible. For a single file, it states why events were not
// stored, because the page may be closed.
import { fileHeadline, reportHeadline, reportSeverity } from '../reportText.ts';
import { reportInWords } from '../reportWords.ts';
import type { ReportView } from './pageFacts.ts';

/** Returns the notification. For a single file, it includes actions that may fix the cause of a failure. */
export function reportNotice(view: ReportView) {
  const { files } = view;
  const [only] = files.length === 1 ? files : [];
  return { severity: reportSeverity(view), message: messageOf(view), actions: only?.actions ?? [] };
}

function messageOf(view: ReportView): string {
  const { mode, files } = view;
  const [only] = files;
  if (files.length !== 1 || only?.report === undefined) return reportHeadline(view);
  const { report } = only;
  if (report.outcome === 'cancelled') return reportHeadline(view);
  if (mode === 'ingest') return reportInWords(report);
  return [fileHeadline(mode, only), report.problem ?? ''].filter(Boolean).join(' ');
}

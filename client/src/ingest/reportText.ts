/** Formats the progress and reports of runs, for the page and for notifications. The counts include every event. */

import { counted, grouped, plural } from '../../../formats/src/counts.ts';
import type { RunReport } from '../../../ingest/src/contract.ts';
import { endsInWords } from '../words/timeText.ts';
import { bytesInWords, doubtOf, durationInWords, sum, timeLeftInWords } from './amounts.ts';
import type { FileReport, Mode, ProgressView, ReportView } from './host/pageFacts.ts';

export type Severity = 'success' | 'warning' | 'error';

interface Count {
  readonly label: string;
  readonly value: string;
  readonly severity?: 'warning' | 'error';
}

export const queryArrived = 'Query What Arrived';

function reportsOf({ files }: ReportView): readonly RunReport[] {
  return files.flatMap(({ report }) => report ?? []);
}

/** Whether the run stored events, which a query can show. */
export function hasArrived(view: ReportView): boolean {
  return view.mode === 'ingest' && reportsOf(view).some(({ stored }) => stored > 0);
}

export function reportSeverity({ mode, files }: ReportView): Severity {
  const all = files.map(({ report }) => severityOf(mode, report));
  return all.find((one) => one === 'error') ?? all.find((one) => one === 'warning') ?? 'success';
}

export function severityOf(mode: Mode, report: RunReport | undefined): Severity {
  if (report === undefined) return 'warning';
  const { outcome, doubt, failed, skipped, stored, read } = report;
  if (outcome === 'stopped') return 'error';
  if (outcome === 'cancelled' || doubt.length > 0 || failed + skipped > 0) return 'warning';
  return mode === 'ingest' && stored === 0 && read > 0 ? 'error' : 'success';
}

export function reportHeadline(view: ReportView): string {
  const { mode, files } = view;
  const [only] = files;
  if (files.length === 1 && only !== undefined) return fileHeadline(mode, only);
  const reports = reportsOf(view);
  const of = (isIn: (report: RunReport) => boolean) =>
    `${grouped(reports.filter(isIn).length)} of ${counted(files.length, 'file')}`;
  return mode === 'check'
    ? `Checked ${of(({ outcome }) => outcome === 'complete')}. Nothing was sent.`
    : `Ingested ${of(({ stored }) => stored > 0)} into '${reports[0]?.dataset ?? ''}'.`;
}

export function fileHeadline(mode: Mode, { name, report }: FileReport): string {
  if (report === undefined) return `${name} was not sent.`;
  const { outcome, stored, read, skipped, failed, dataset } = report;
  if (mode === 'check') {
    const found = skipped === 0 ? 'no broken lines' : counted(skipped, 'broken event');
    const all = outcome === 'complete' ? '' : ' so far';
    return `${name} has ${counted(read, 'event')} and ${found}${all}. Nothing was sent.`;
  }
  const were = plural(stored, 'was', 'were');
  if (outcome === 'cancelled') {
    return `Cancelled. ${counted(stored, 'event')} of ${name} ${were} stored in '${dataset}'.`;
  }
  if (outcome === 'stopped') {
    return stored === 0
      ? `${name} was not ingested.`
      : `${name} was not ingested completely. ${counted(stored, 'event')} ${were} stored in '${dataset}'.`;
  }
  const lost = failed + skipped;
  const doubt = doubtOf(report);
  const but = [
    lost === 0 ? '' : `; ${counted(lost, 'event')} ${plural(lost, 'was', 'were')} not stored`,
    doubt === 0 ? '' : `; ${counted(doubt, 'event')} may or may not be stored`,
  ];
  return `Ingested ${counted(stored, 'event')} from ${name} into '${dataset}'${but.join('')}.`;
}

export function reportCounts(view: ReportView): readonly Count[] {
  const { mode } = view;
  const reports = reportsOf(view);
  const count = (label: string, of: (report: RunReport) => number): Count => ({
    label,
    value: grouped(sum(reports, of)),
  });
  const found = (
    label: string,
    severity: 'warning' | 'error',
    of: (report: RunReport) => number,
  ): Count => ({ ...count(label, of), ...(sum(reports, of) > 0 && { severity }) });
  const skipped = found('Skipped', 'warning', (report) => report.skipped);
  const rest = [
    found('In doubt', 'warning', doubtOf),
    found('Not sent', 'warning', ({ unsent }) => unsent),
  ];
  const span = mode === 'check' ? endsOf(reports) : spanOf(reports);
  const sent = bytesInWords(sum(reports, ({ bytes }) => bytes));
  const duration = durationInWords(sum(reports, ({ durationMs }) => durationMs));
  return [
    ...(mode === 'check'
      ? [count('Events', ({ read }) => read), skipped]
      : [
          count('Read', ({ read }) => read),
          count('Stored', ({ stored }) => stored),
          found('Failed', 'error', ({ failed }) => failed),
          skipped,
          ...rest.filter(({ severity }) => severity !== undefined),
          { label: 'Sent', value: sent },
        ]),
    ...(span ? [{ label: 'Times', value: endsInWords(span) }] : []),
    { label: 'Duration', value: duration },
  ];
}

/** Formats the total of a file's counts; empty if nothing was read. */
export function sumText(mode: Mode, report: RunReport): string {
  const { read, stored, failed, unsent, skipped, appendedBytes = 0 } = report;
  const doubt = doubtOf(report);
  const parts = [
    `${grouped(stored)} stored`,
    `${grouped(failed)} failed`,
    ...(doubt > 0 ? [`${grouped(doubt)} in doubt`] : []),
    ...(unsent > 0 ? [`${grouped(unsent)} not sent`] : []),
  ];
  const sentences = [
    mode === 'check' || read === 0 ? '' : `${grouped(read)} read = ${parts.join(' + ')}.`,
    mode === 'check' || read === 0 || skipped === 0
      ? ''
      : `${counted(skipped, 'event')} could not be read and ${plural(skipped, 'was', 'were')} skipped.`,
    appendedBytes === 0
      ? ''
      : `The file grew by ${bytesInWords(appendedBytes)} while it was read. Lines added during that time were not read.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Returns the earliest and latest time among events that are or may be stored; undefined if unknown. */
export function spanOf(reports: readonly RunReport[]): Span | undefined {
  return endsOf(reports.filter(({ stored, doubt }) => stored > 0 || doubt.length > 0));
}

export interface Span {
  readonly first: string;
  readonly last: string;
}

function endsOf(reports: readonly RunReport[]): Span | undefined {
  const times = reports
    .flatMap(({ firstTime, lastTime }) => [firstTime, lastTime])
    .filter((time) => time !== undefined)
    .sort((one, other) => Date.parse(one) - Date.parse(other));
  const [first, last] = [times[0], times.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** Returns the progress as a number from 0 to 1, by bytes. */
export function fractionOf({ bytes, totalBytes }: ProgressView): number {
  return totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
}

/** Formats the progress of a run. Unknown values are empty strings. */
export function progressAmounts(progress: ProgressView) {
  const { bytes, totalBytes, events, eventsPerSecond, secondsLeft, state } = progress;
  return {
    bytes: `${bytesInWords(bytes)} of ${bytesInWords(totalBytes)}`,
    events: counted(events, 'event'),
    rate: eventsPerSecond > 0 ? `${grouped(Math.round(eventsPerSecond))} events/s` : '',
    left: state === 'paused' ? '' : timeLeftInWords(secondsLeft),
  };
}

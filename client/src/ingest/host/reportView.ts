// Reports and progress of runs as the page draws them. Every event that was read is accounted for.
import type { RunProgress, RunReport } from '../../../../ingest/src/contract.ts';
import { visibleLines, visibleText } from '../../results/visibleText.ts';
import { endsInWords } from '../../time/extentWords.ts';
import { counted, grouped } from '../../words/counts.ts';
import type { FinishedReport } from './engine.ts';
import type {
  FileReport,
  Mode,
  ProgressView,
  ReportView,
  ViewAction,
  ViewCount,
} from './messages.ts';
import { viewBroken } from './previewView.ts';
import { bytesInWords, durationInWords, linesInWords, timeLeftInWords } from './words.ts';

const FAILURES_SHOWN = 200;
const REASONS_SHOWN = 20;

/** A file of a run, in the order of the page. */
export interface RunFile {
  readonly id: number;
  readonly name: string;
  readonly hasLines: boolean;
  /** Absent where the run ended before the file was begun. */
  readonly report?: FinishedReport;
  readonly actions: readonly ViewAction[];
}

export function reportView(mode: Mode, files: readonly RunFile[]): ReportView {
  const reports = files.flatMap(({ report }) => (report ? [report] : []));
  const severities = files.map((file) => severityOf(mode, file.report));
  const severity = severities.includes('error')
    ? 'error'
    : severities.includes('warning')
      ? 'warning'
      : 'success';
  const span = mode === 'check' ? endsOf(reports) : spanOf(reports);
  const stored = sum(reports, ({ stored }) => stored);
  const many = files.length > 1;
  const only = files[0];
  return {
    mode,
    severity,
    headline: many || only === undefined ? manyHeadline(mode, files) : headline(mode, only),
    counts: [
      ...countsOf(mode, reports),
      ...(span ? [{ label: 'Times', value: endsInWords({ events: 0, ...span }) }] : []),
      { label: 'Duration', value: durationInWords(sum(reports, ({ durationMs }) => durationMs)) },
    ],
    files: files.map((file) => fileReport(mode, file)),
    ...(mode === 'ingest' && stored > 0 && { query: 'Query What Arrived' }),
  };
}

function manyHeadline(mode: Mode, files: readonly RunFile[]): string {
  const reports = files.flatMap(({ report }) => (report ? [report] : []));
  const of = (isIn: (report: RunReport) => boolean) =>
    `${grouped(reports.filter(isIn).length)} of ${counted(files.length, 'file')}`;
  if (mode === 'check') {
    return `Checked ${of(({ outcome }) => outcome === 'complete')}. Nothing was sent.`;
  }
  const dataset = reports[0]?.dataset ?? '';
  return `Ingested ${of(({ stored }) => stored > 0)} into '${visibleText(dataset)}'.`;
}

function headline(mode: Mode, { name, report }: RunFile): string {
  const file = visibleText(name);
  if (report === undefined) return `${file} was not sent.`;
  const { outcome, stored, read, skipped, failed } = report;
  if (mode === 'check') {
    const found = skipped === 0 ? 'no broken lines' : counted(skipped, 'broken event');
    const all = outcome === 'complete' ? '' : ' so far';
    return `${file} has ${counted(read, 'event')} and ${found}${all}. Nothing was sent.`;
  }
  const into = `'${visibleText(report.dataset)}'`;
  if (outcome === 'cancelled') {
    return `Cancelled. ${counted(stored, 'event')} of ${file} ${were(stored)} stored in ${into}.`;
  }
  if (outcome === 'stopped') {
    return stored === 0
      ? `${file} was not ingested.`
      : `${file} was not ingested completely. ${counted(stored, 'event')} ${were(stored)} stored in ${into}.`;
  }
  const left = failed + skipped;
  const doubt = doubtOf(report);
  const but = [
    ...(left === 0 ? [] : [`; ${counted(left, 'event')} ${were(left)} not stored`]),
    ...(doubt === 0 ? [] : [`; ${counted(doubt, 'event')} may or may not be stored`]),
  ];
  return `Ingested ${counted(stored, 'event')} from ${file} into ${into}${but.join('')}.`;
}

function were(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function severityOf(mode: Mode, report: RunReport | undefined): ReportView['severity'] {
  if (report === undefined) return 'warning';
  if (report.outcome === 'stopped') return 'error';
  const doubtful = report.doubt.length > 0 || report.failed > 0 || report.skipped > 0;
  if (report.outcome === 'cancelled' || doubtful) return 'warning';
  return mode === 'ingest' && report.stored === 0 && report.read > 0 ? 'error' : 'success';
}

function doubtOf({ doubt }: RunReport): number {
  return sum(doubt, ({ events }) => events);
}

function countsOf(mode: Mode, reports: readonly RunReport[]): ViewCount[] {
  const total = (of: (report: RunReport) => number) => sum(reports, of);
  const row = (label: string, count: number, severity?: 'warning' | 'error'): ViewCount => ({
    label,
    value: grouped(count),
    ...(severity && count > 0 && { severity }),
  });
  const skipped = row(
    'Skipped',
    total(({ skipped }) => skipped),
    'warning',
  );
  if (mode === 'check')
    return [
      row(
        'Events',
        total(({ read }) => read),
      ),
      skipped,
    ];
  const doubt = total(doubtOf);
  const unsent = total(({ unsent }) => unsent);
  return [
    row(
      'Read',
      total(({ read }) => read),
    ),
    row(
      'Stored',
      total(({ stored }) => stored),
    ),
    row(
      'Failed',
      total(({ failed }) => failed),
      'error',
    ),
    skipped,
    ...(doubt > 0 ? [row('In doubt', doubt, 'warning')] : []),
    ...(unsent > 0 ? [row('Not sent', unsent, 'warning')] : []),
    { label: 'Sent', value: bytesInWords(total(({ bytes }) => bytes)) },
  ];
}

function sumInWords(mode: Mode, report: RunReport): string {
  const grown = grownInWords(report);
  if (mode === 'check' || report.read === 0) return grown.trim();
  const doubt = doubtOf(report);
  const { unsent } = report;
  const parts = [
    `${grouped(report.stored)} stored`,
    `${grouped(report.failed)} failed`,
    ...(doubt > 0 ? [`${grouped(doubt)} in doubt`] : []),
    ...(unsent > 0 ? [`${grouped(unsent)} not sent`] : []),
  ];
  const skipped =
    report.skipped === 0
      ? ''
      : ` ${counted(report.skipped, 'event')} could not be read and ${were(report.skipped)} skipped.`;
  return `${grouped(report.read)} read = ${parts.join(' + ')}.${skipped}${grown}`;
}

function grownInWords({ appendedBytes = 0 }: RunReport): string {
  if (appendedBytes === 0) return '';
  return ` The file grew by ${bytesInWords(appendedBytes)} while it was read. Lines added during that time were not read.`;
}

function fileReport(mode: Mode, file: RunFile): FileReport {
  const { id, name, hasLines, report, actions } = file;
  const about = { id, name: visibleText(name), hasLines, severity: severityOf(mode, report) };
  const nothing = { reasons: [], failures: [], doubt: [], messages: [], failedFile: false };
  if (report === undefined) {
    const headline = mode === 'check' ? 'Not checked.' : 'Not sent.';
    return { ...about, ...nothing, headline, actions: [], counts: [], sum: '' };
  }
  const all = report.failed + report.skipped;
  const listed = report.failures.slice(0, FAILURES_SHOWN);
  return {
    ...about,
    headline: headline(mode, file),
    ...(report.problem !== undefined && { problem: visibleLines(report.problem) }),
    actions,
    counts: countsOf(mode, [report]),
    sum: sumInWords(mode, report),
    reasons: report.reasons.slice(0, REASONS_SHOWN).map(({ reason, count }) => ({
      reason: visibleText(reason),
      count: counted(count, 'event'),
    })),
    failures: listed.map(viewBroken),
    ...(all > listed.length && {
      more: `${grouped(listed.length)} of ${grouped(all)} are listed.${report.failedFile === undefined ? '' : ' The file of failed events contains all of them.'}`,
    }),
    doubt: report.doubt.map(({ firstLine, lastLine, events }) => ({
      line: firstLine,
      place: `${linesInWords(firstLine, lastLine)} (${counted(events, 'event')})`,
    })),
    messages: report.messages.map(visibleText),
    failedFile: report.failedFile !== undefined,
    ...(mode === 'ingest' &&
      report.resumable !== undefined && {
        resume:
          report.resumeLine === undefined
            ? 'Resume'
            : `Resume at Line ${grouped(report.resumeLine)}`,
      }),
  };
}

/** The times from the first to the last event that was stored; undefined where they are not known. */
export function spanOf(
  reports: readonly RunReport[],
): { readonly first: string; readonly last: string } | undefined {
  return endsOf(reports.filter(({ stored, doubt }) => stored > 0 || doubt.length > 0));
}

function endsOf(
  reports: readonly RunReport[],
): { readonly first: string; readonly last: string } | undefined {
  const times = reports
    .flatMap(({ firstTime, lastTime }) => [firstTime, lastTime])
    .filter((time) => time !== undefined)
    .sort((one, other) => Date.parse(one) - Date.parse(other));
  const [first, last] = [times[0], times.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

export interface RunPlace {
  readonly file: string;
  /** From 1. */
  readonly index: number;
  readonly files: number;
  readonly cancelling: boolean;
}

export function progressView(progress: RunProgress, place: RunPlace, now: number): ProgressView {
  const { state, waiting, bytes, totalBytes, events, eventsPerSecond, secondsLeft } = progress;
  const wait = waiting && Math.max(0, Math.ceil((waiting.until - now) / 1_000));
  return {
    file: visibleText(place.file),
    ...(place.files > 1 && { place: `File ${grouped(place.index)} of ${grouped(place.files)}` }),
    state: place.cancelling
      ? 'cancelling'
      : state === 'paused' || state === 'waiting'
        ? state
        : 'running',
    fraction: totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes),
    bytes: `${bytesInWords(bytes)} of ${bytesInWords(totalBytes)}`,
    events: counted(events, 'event'),
    rate: eventsPerSecond > 0 ? `${grouped(Math.round(eventsPerSecond))} events/s` : '',
    left: state === 'paused' ? '' : timeLeftInWords(secondsLeft),
    ...(waiting && {
      waiting: `${visibleText(waiting.message)}${wait ? ` Trying again in ${wait} s.` : ''}`,
    }),
  };
}

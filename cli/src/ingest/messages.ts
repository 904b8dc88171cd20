/** Formats settings, progress and reports as text. */
import { counted, grouped } from '../../../formats/src/counts.ts';
import type {
  CheckProgress,
  FileCheck,
  LineRange,
  RunProgress,
  RunReport,
} from '../../../ingest/src/contract.ts';
import { unreadTimesText } from '../../../ingest/src/read/times/sentTime.ts';
import type { ReadSettings, TimeSettings } from '../../../ingest/src/settings.ts';
import { megabytes } from '../../../system/src/progressLine.ts';

const LISTED_MAX = 10;

const events = (count: number): string => counted(count, 'event');

const formats: Readonly<Record<ReadSettings['format'], string>> = {
  json: 'JSON',
  ndjson: 'NDJSON',
  csv: 'CSV',
  logfmt: 'logfmt',
  lines: 'plain lines',
};
const delimiters: Readonly<Record<string, string>> = { '\t': 'tabs', ';': 'semicolons' };

/** Describes the settings for reading a file: `CSV with a header line, gzip, time from date (RFC 3339)`. */
export function settingsText({ format, compression, encoding, csv, time }: ReadSettings): string {
  const parts = [formats[format]];
  if (csv !== undefined) {
    const { delimiter } = csv;
    if (delimiter !== ',') parts[0] += ` separated by ${delimiters[delimiter] ?? delimiter}`;
    parts[0] += csv.header ? ' with a header line' : ' without a header line';
  }
  if (compression !== 'none') parts.push(compression);
  if (encoding !== 'utf-8') parts.push(encoding.toUpperCase());
  parts.push(time === undefined ? 'no time field, the time is that of arrival' : timeText(time));
  return parts.join(', ');
}

const epochs = { s: 'seconds', ms: 'milliseconds', us: 'microseconds', ns: 'nanoseconds' } as const;

function timeText({ field, format, zone }: TimeSettings): string {
  const how =
    format.kind === 'rfc3339'
      ? 'RFC 3339'
      : format.kind === 'epoch'
        ? `${epochs[format.unit]} since 1970`
        : format.layout;
  return `time from ${field} (${how}${zone === 'UTC' ? '' : `, ${zone}`})`;
}

export function runProgressText(file: string, progress: RunProgress): string {
  const { state, waiting, eventsPerSecond, secondsLeft } = progress;
  const done = progressText(file, progress);
  if (state === 'waiting' && waiting !== undefined) {
    const seconds = Math.max(0, Math.ceil((waiting.until - Date.now()) / 1_000));
    return `${done}, trying again in ${seconds} s: ${waiting.message}`;
  }
  const rate = eventsPerSecond > 0 ? `, ${grouped(Math.round(eventsPerSecond))}/s` : '';
  const left = secondsLeft === undefined ? '' : `, ${durationText(secondsLeft)} left`;
  return `${done}${rate}${left}`;
}

type Counts = Pick<CheckProgress, 'bytes' | 'totalBytes' | 'events'>;

export function progressText(file: string, progress: Counts): string {
  const { bytes, totalBytes } = progress;
  return `${file}: ${megabytes(bytes)} of ${megabytes(totalBytes)}, ${events(progress.events)}`;
}

function durationText(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  return seconds < 6_000 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}

/** Formats a run's report. The event counts of the lines add up to the total. */
export function reportText(file: string, report: RunReport): string {
  const { dataset, read, stored, failed, skipped, unsent, doubt } = report;
  const doubtful = doubt.reduce((sum, range) => sum + range.events, 0);
  const counts = [
    `${grouped(stored)} stored`,
    ...(failed > 0 ? [`${grouped(failed)} rejected`] : []),
    ...(doubtful > 0 ? [`${grouped(doubtful)} in doubt`] : []),
    ...(unsent > 0 ? [`${grouped(unsent)} not sent`] : []),
  ];
  const lines: string[] = [];
  if (read > 0) lines.push(`${file}: ${events(read)} read, ${counts.join(', ')} in ${dataset}.`);
  else if (skipped > 0) lines.push(`${file}: nothing was stored in ${dataset}.`);
  if (skipped > 0)
    lines.push(`  ${events(skipped)} could not be read and ${wasOrWere(skipped)} left out.`);
  if (report.firstTime !== undefined && report.lastTime !== undefined) {
    lines.push(`  Times: ${report.firstTime} to ${report.lastTime}`);
  }
  for (const { line, lastLine, among, reason } of report.failures.slice(0, LISTED_MAX)) {
    const number = among === undefined ? '' : `${among.count} of `;
    lines.push(`  ${number}${linesText(line, lastLine)}: ${reason}`);
  }
  lines.push(...report.doubt.slice(0, LISTED_MAX).map(doubtText));
  lines.push(...report.messages.map((message) => `  ${message}`));
  if (report.failedFile !== undefined && failed + skipped > 0) {
    lines.push(`  The events that are not stored are in ${report.failedFile}`);
  }
  lines.push(...appendedText(report));
  return lines.map((line) => `${line}\n`).join('');
}

/** Describes data that was appended to the file during the run and therefore not read. */
function appendedText({ appendedBytes = 0 }: { readonly appendedBytes?: number }): string[] {
  if (appendedBytes === 0) return [];
  return [
    `  The file grew by ${grouped(appendedBytes)} bytes while it was read. Lines that were added meanwhile were not read.`,
  ];
}

function doubtText({ firstLine, lastLine, events: count }: LineRange): string {
  return `  ${linesText(firstLine, lastLine)}: it is not known whether ${events(count)} ${wasOrWere(count)} stored.`;
}

function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function linesText(first: number, last: number): string {
  return first === last ? `line ${grouped(first)}` : `lines ${grouped(first)} to ${grouped(last)}`;
}

export function checkText(file: string, check: FileCheck): string {
  const lines = [
    `${file}: ${events(check.events)}, ${check.brokenCount === 0 ? 'none' : grouped(check.brokenCount)} broken.`,
  ];
  if (check.firstTime !== undefined && check.lastTime !== undefined) {
    lines.push(`  Times: ${check.firstTime} to ${check.lastTime}`);
  }
  lines.push(
    ...check.fields
      // The range of `_time` is listed above, and its stored type may differ from the file's.
      .filter(({ name }) => name !== '_time' || check.firstTime === undefined)
      .map(
        ({ name, types, eventCount }) => `  ${name}: ${types.join(' | ')}, ${events(eventCount)}`,
      ),
  );
  return `${[...lines, ...checkWarnings(check)].join('\n')}\n`;
}

export function checkWarnings(check: FileCheck): string[] {
  const lines: string[] = [];
  if (check.withoutTime > 0) {
    lines.push(`  ${events(check.withoutTime)} without a time would get that of arrival.`);
  }
  if (check.unreadTimes !== undefined) lines.push(`  ${unreadTimesText(check.unreadTimes)}`);
  for (const [column, count] of Object.entries(check.mistyped)) {
    const values = `${counted(count, 'value')} ${count === 1 ? 'is' : 'are'}`;
    lines.push(`  ${column}: ${values} not of its type and would be text.`);
  }
  for (const { line, lastLine, reason } of check.broken.slice(0, LISTED_MAX)) {
    lines.push(`  ${linesText(line, lastLine)}: ${reason}`);
  }
  const more = check.brokenCount - Math.min(check.broken.length, LISTED_MAX);
  if (more > 0) lines.push(`  and ${grouped(more)} more broken events.`);
  lines.push(...appendedText(check));
  return lines;
}

// Formats a run's report as sentences for notifications. They count every event: stored, failed, in doubt, not sent.

import { counted, grouped, plural } from '../../../formats/src/counts.ts';
import type { RunReport } from '../../../ingest/src/contract.ts';
import { capitalized } from '../words/lists.ts';
import { rangesInWords } from './amounts.ts';

const REASONS_SHOWN = 3;
const RANGES_SHOWN = 3;

export function reportInWords(report: RunReport): string {
  const sentences = [
    outcomeInWords(report),
    ...notStoredInWords(report),
    ...doubtInWords(report),
    ...restInWords(report),
    ...grownInWords(report),
    ...report.messages,
  ];
  return sentences.map(fullStop).join(' ');
}

function outcomeInWords({ file, dataset, outcome, stored, problem }: RunReport): string {
  if (outcome === 'complete')
    return `Ingested ${counted(stored, 'event')} from ${file} into '${dataset}'.`;
  const how = stored === 0 ? 'was not ingested' : 'was not ingested completely';
  const why = outcome === 'cancelled' ? 'It was cancelled.' : capitalized(problem ?? '');
  const count =
    stored === 0
      ? 'No events were stored'
      : `${capitalized(counted(stored, 'event'))} ${plural(stored, 'was', 'were')} stored in '${dataset}'`;
  return `${file} ${how}. ${fullStop(why)} ${count}.`;
}

function notStoredInWords({ failed, skipped, reasons, failures }: RunReport): string[] {
  const count = failed + skipped;
  if (count === 0) return [];
  const shown = reasons.slice(0, REASONS_SHOWN).map(({ reason, count: times }) => {
    const first = failures.find((failure) => failure.reason === reason);
    const where =
      first === undefined || first.among !== undefined ? '' : `line ${grouped(first.line)}`;
    const number = times === count ? '' : grouped(times);
    const about = [number, where && (times > 1 ? `first on ${where}` : where)].filter(Boolean);
    return `${reason.replace(/\.$/, '')}${about.length > 0 ? ` (${about.join(', ')})` : ''}`;
  });
  const more = reasons.length > REASONS_SHOWN ? ', and others' : '';
  return [
    `${capitalized(counted(count, 'event'))} ${plural(count, 'was', 'were')} not stored: ${shown.join('; ')}${more}`,
  ];
}

function doubtInWords({ doubt }: RunReport): string[] {
  if (doubt.length === 0) return [];
  const ranges = rangesInWords(doubt, RANGES_SHOWN, 'ranges');
  return [`It is not known whether the events of ${ranges} were stored`];
}

function restInWords({ resumeLine, stored }: RunReport): string[] {
  if (resumeLine === undefined || stored === 0) return [];
  return [`The rest, from line ${grouped(resumeLine)}, was not sent`];
}

function grownInWords({ appendedBytes = 0 }: RunReport): string[] {
  if (appendedBytes === 0) return [];
  return ['The file grew while it was read. Lines added during that time were not read'];
}

function fullStop(text: string): string {
  return text === '' || /[.!?…]$/.test(text) ? text : `${text}.`;
}

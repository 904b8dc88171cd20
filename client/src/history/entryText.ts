// Formats history entries.

import { counted } from '../../../formats/src/counts.ts';
import { duration } from '../results/screen.ts';
import { dateText, type TimeZone, timeOfDay } from '../time/timeZone.ts';
import type { HistoryEntry } from './entry.ts';

const DAY_MS = 86_400_000;

export function historyDays(entries: readonly HistoryEntry[], now: number, zone: TimeZone) {
  const days = Map.groupBy(entries, ({ askedAt }) => dayLabel(askedAt, now, zone));
  return [...days].map(([label, found]) => ({ label, entries: found }));
}

function dayLabel(time: number, now: number, zone: TimeZone): string {
  const day = dateText(time, zone);
  if (day === dateText(now, zone)) return 'Today';
  return day === dateText(now - DAY_MS, zone) ? 'Yesterday' : day;
}

const titleMax = 60;

/** Formats an entry for a narrow tree: its title, then details, most useful first. Omits the active deployment. */
export function entryWords(
  entry: HistoryEntry,
  activeDeployment: string,
  zone: TimeZone,
): { readonly label: string; readonly description: string } {
  const { title, askedAt, range, deployment } = entry;
  const label = title.length > titleMax ? `${title.slice(0, titleMax - 1)}…` : title;
  const elsewhere = deployment === activeDeployment ? [] : [deployment];
  const facts = [outcomeOf(entry), timeOfDay(askedAt, zone), range, ...elsewhere];
  return { label, description: facts.join(' · ') };
}

/** Describes a run's outcome, such as `1,000 rows · 12 ms`. */
export function outcomeOf({ outcome, rowCount = 0, milliseconds }: HistoryEntry): string {
  if (outcome === 'cancelled') return 'cancelled';
  if (outcome === 'failed') return 'failed';
  const rows = counted(rowCount, 'row');
  return `${rows} · ${duration(milliseconds)}`;
}

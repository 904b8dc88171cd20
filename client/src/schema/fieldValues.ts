// Queries the frequent values of a field for completion, within narrow limits.
import type { FieldValuesParams, SeenValue, ValueType } from '../../../server/src/protocol.ts';
import { commonValues } from '../../../table/src/distinct.ts';
import { askForValue, bracketed } from '../service/ask.ts';
import { allTimes } from '../service/extent.ts';
import type { Outcome } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import type { RangeParameters } from '../time/timeRange.ts';

interface ValueBounds {
  readonly range: RangeParameters;
  /** The maximum number of events to count, among those that have a value. */
  readonly events: number;
  readonly timeoutMs: number;
}

/** Limits by kind of deployment. Local queries are free, but events that a hosted deployment reads are charged for. */
export const valueBounds: Readonly<Record<'local' | 'hosted', ValueBounds>> = {
  local: { range: allTimes, events: 1_000_000, timeoutMs: 2_000 },
  hosted: { range: { startTime: 'now-1d', endTime: 'now' }, events: 50_000, timeoutMs: 5_000 },
};

/** The maximum length of strings, because longer strings are rarely compared. */
const MAX_CHARACTERS = 100;

/** The number of requested groups, more than completion offers, so that fields with too many values are recognized. */
const GROUPS = 101;

const MAX_BYTES = 1024 * 1024;

const hasValue: Readonly<Record<ValueType, (field: string) => string>> = {
  bool: (field) => `isnotnull(${field})`,
  long: (field) => `isnotnull(${field})`,
  real: (field) => `isnotnull(${field})`,
  string: (field) => `isnotempty(${field}) and strlen(${field}) <= ${MAX_CHARACTERS}`,
};

/** Queries the values once and returns those to offer, most frequent first. Never throws. */
export async function askFieldValues(
  service: Service,
  { dataset, field, type }: FieldValuesParams,
  { range, events, timeoutMs }: ValueBounds,
  signal: AbortSignal,
): Promise<Outcome<readonly SeenValue[]>> {
  const column = bracketed(field);
  const apl = [
    bracketed(dataset),
    `where ${hasValue[type](column)}`,
    `take ${events}`,
    // Add a prefix to the new names, so that they don't conflict with field names.
    `summarize aplomb_count = count() by aplomb_value = ${column}`,
    `top ${GROUPS} by aplomb_count`,
  ].join(' | ');
  const answer = await askForValue(
    { apl, ...range },
    {
      service,
      datasets: [dataset],
      timeoutMs,
      signal,
      maxBytes: MAX_BYTES,
      isOptional: true,
    },
  );
  if (!answer.ok) return answer;
  const table = answer.value.tables?.[0];
  const cells = (name: string): readonly unknown[] => {
    const index = table?.fields.findIndex((found) => found.name === name) ?? -1;
    return table?.columns?.[index] ?? [];
  };
  const counts = cells('aplomb_count');
  const groups = cells('aplomb_value').map((value, row) => [value, Number(counts[row])] as const);
  return { ok: true, value: commonValues(groups) };
}

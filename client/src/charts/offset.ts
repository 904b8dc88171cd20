/** Parses a typed comparison offset, such as `3d`. */
import { unitSeconds } from '../words/timeText.ts';

const maxMinutes = 10 * 365 * 1_440;

export const offsetProblem =
  'Enter a whole number and a unit (m, h, d or w), such as 90m or 3d. The maximum is 10 years.';

/** Returns the minutes of an offset such as `90m`, `2h`, `3d` or `4w`; undefined if the text is invalid. */
export function offsetMinutes(text: string): number | undefined {
  const [, count, unit] = /^\s*(\d{1,7})\s*([mhdw])\s*$/i.exec(text) ?? [];
  const minutes = (Number(count) * (unitSeconds[(unit ?? '').toLowerCase()] ?? Number.NaN)) / 60;
  return minutes > 0 && minutes <= maxMinutes ? minutes : undefined;
}

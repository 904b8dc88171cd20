// Formats lists for use in sentences.
import { grouped } from '../../../formats/src/counts.ts';

/** Joins names: `a`, `a and b`, `a, b and c`. With more than `max` names: `a, b and 3 more`. */
export function inWords(names: readonly string[], max = Number.POSITIVE_INFINITY): string {
  const more = names.length - max;
  const parts = more > 0 ? [...names.slice(0, max), `${grouped(more)} more`] : names;
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

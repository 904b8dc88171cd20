/** Sentences about series and categories that a chart has no room for. */
import { grouped } from '../../../../../formats/src/counts.ts';

export function foldedNotice(count: number | undefined): string[] {
  return count === undefined ? [] : [`${grouped(count)} more grouped as 'other'.`];
}

/** Categories whose values cannot be added, so that no common bar would mean anything. */
export function leftOutNotice(count: number): string[] {
  if (count === 0) return [];
  return [`${grouped(count)} smaller categories are not drawn: their values cannot be added.`];
}

/** Sentences about series and categories that a chart has no room for. */

export function foldedNotice(count: number | undefined): string[] {
  return count === undefined ? [] : [`${count.toLocaleString('en-US')} more grouped as 'other'.`];
}

/** Categories whose values cannot be added, so that no common bar would mean anything. */
export function leftOutNotice(count: number): string[] {
  if (count === 0) return [];
  return [
    `${count.toLocaleString('en-US')} smaller categories are not drawn: their values cannot be added.`,
  ];
}

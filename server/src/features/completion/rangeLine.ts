/** Completes time ranges in the comment that sets one for the file: `// range: 7d`. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { toRange } from '../../convert.ts';
import type { Snapshot } from '../../documents.ts';

const line = /^[ \t]*\/\/[ \t]*range:[ \t]*(.*)$/;

/** The offered ranges and their meaning. The client accepts many more. */
const ranges: readonly (readonly [text: string, meaning: string])[] = [
  ['15m', 'last 15 minutes'],
  ['1h', 'last hour'],
  ['6h', 'last 6 hours'],
  ['24h', 'last 24 hours'],
  ['7d', 'last 7 days'],
  ['30d', 'last 30 days'],
  ['90d', 'last 90 days'],
  ['today', 'since midnight'],
  ['yesterday', 'the day before today'],
  ['this week', 'since Monday'],
  ['last week', 'Monday to Sunday of the week before'],
  ['this month', 'since the first of the month'],
  ['last month', 'the month before this one'],
];

export interface RangeItems {
  /** The start offset of the time range, which ends at the cursor. */
  readonly start: number;
  readonly items: CompletionItem[];
}

/** Returns items for the time range at an offset, or undefined outside a range comment. */
export function rangeItems({ lines }: Snapshot, offset: number): RangeItems | undefined {
  const { character } = toRange(lines, { start: offset, end: offset }).start;
  const typed = line.exec(lines.slice(offset - character, offset))?.[1];
  if (typed === undefined) return undefined;
  const items = ranges.map(
    ([label, detail], index): CompletionItem => ({
      label,
      detail,
      kind: CompletionItemKind.Value,
      sortText: String(index).padStart(2, '0'),
    }),
  );
  return { start: offset - typed.length, items };
}

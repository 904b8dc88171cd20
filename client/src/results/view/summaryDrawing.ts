/** Draws a column's summary: a small one for its header, and the full one for its panel. */

import { grouped } from '../../../../formats/src/counts.ts';
import { figureNumber, shareText } from '../../../../table/src/numberText.ts';
import { shortened } from '../../../../table/src/visibleText.ts';
import type { ColumnSummary, Histogram } from '../../answers/protocol.ts';
import { drawing, element } from '../../webview/page/dom.ts';
import { withUnit } from '../../webview/page/units.ts';
import type { ViewColumn } from '../pageContent.ts';

export function bars({ counts }: Histogram, height: number): SVGElement {
  const most = Math.max(1, ...counts);
  const drawn = counts.flatMap((count, at) => {
    if (count === 0) return [];
    // Keep the bar of a single row visible next to a bar of a million rows.
    const length = Math.max(1, (count / most) * height);
    return drawing('rect', {
      x: String(at + 0.08),
      y: String(height - length),
      width: '0.84',
      height: String(length),
    });
  });
  return drawing(
    'svg',
    {
      class: 'bars',
      viewBox: `0 0 ${Math.max(1, counts.length)} ${height}`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    },
    drawn,
  );
}

/** Returns a header's summary: a histogram, the most frequent value's share, or the number of distinct values. */
export function smallSummary(summary: ColumnSummary): Node[] {
  const { rowCount, nulls, distinct, histogram } = summary;
  if (rowCount === 0) return [];
  const isDrawn = histogram !== undefined && nulls < rowCount && distinct.count > 1;
  const parts: Node[] = [
    isDrawn
      ? bars(histogram, 12)
      : element('span', { class: 'summary-text cut', text: smallText(summary) }),
  ];
  if (nulls > 0) {
    const line = element('span', { class: 'null-share', title: `${share(nulls, rowCount)} null` });
    line.style.width = `${(nulls / rowCount) * 100}%`;
    parts.push(line);
  }
  return parts;
}

function smallText({ rowCount, nulls, distinct, top: [first] }: ColumnSummary): string {
  const values = rowCount - nulls;
  if (values === 0) return 'all null';
  const isFrequent = first && distinct.count < values && first.count / rowCount >= 0.01;
  return isFrequent
    ? `${first.text || '(empty)'} ${share(first.count, rowCount)}`
    : `${countText(distinct)} distinct`;
}

/** Formats a count that may be a lower bound: `12,000+`. */
export function countText({ count, exact }: ColumnSummary['distinct']): string {
  return `${grouped(count)}${exact ? '' : '+'}`;
}

export function share(part: number, whole: number): string {
  return shareText(part / whole);
}

/** Returns the full summary: the histogram with its bounds, and the column's statistics. */
export function fullSummary(summary: ColumnSummary, column: ViewColumn): Node[] {
  const { histogram, rowCount, nulls, distinct, empty, min, max, mean } = summary;
  const facts: [string, string | undefined][] = [
    ['Rows', grouped(rowCount)],
    ['Distinct', countText(distinct)],
    ['Null', nulls === 0 ? '0' : `${grouped(nulls)} (${share(nulls, rowCount)})`],
    ['Empty', empty === 0 ? undefined : grouped(empty)],
    ['Min', histogram === undefined ? shown(min, column) : undefined],
    ['Max', histogram === undefined ? shown(max, column) : undefined],
    ['Mean', shown(mean, column)],
  ];
  const list = element(
    'dl',
    { class: 'facts flow digits' },
    facts.flatMap(([name, text]) =>
      text === undefined
        ? []
        : [
            element('div', { class: 'beside' }, [
              element('dt', { class: 'dim', text: name }),
              element('dd', { class: 'cut', text, title: text }),
            ]),
          ],
    ),
  );
  if (histogram === undefined) return [list];
  return [
    element('div', { class: 'histogram' }, [
      bars(histogram, 40),
      element('div', { class: 'ends beside dim digits' }, [
        element('span', { text: shown(histogram.min, column) ?? '', title: histogram.min }),
        element('span', { text: shown(histogram.max, column) ?? '', title: histogram.max }),
      ]),
    ]),
    list,
  ];
}

const maxText = 40;

function shown(text: string | undefined, { kind, unit }: ViewColumn): string | undefined {
  if (text === undefined) return undefined;
  if (kind === 'time') return text.replace('T', ' ').replace(/\.\d+Z$|Z$/, '');
  const scaled = kind === 'number' && unit !== undefined ? withUnit(text, unit) : undefined;
  if (kind === 'number') return scaled ?? figureNumber(text);
  return shortened(text, maxText);
}

/** Positions the parts of a statistic in its cell: the number, the lines below it, and the trend. */

/** In pixels: the height of a line, and the gaps between number and lines, around the trend, and at the edges. */
const [line, gap, trendGap, edge] = [17, 2, 6, 4];
/** The minimum height of a trend in pixels. With less room, no trend is drawn. */
const trendMin = 16;
const [sizeMin, sizeMax] = [14, 56];
/** The cell height below which name and change share one line. */
const lowCell = 150;

interface StatisticNeeds {
  /** The cell's size in pixels. */
  readonly width: number;
  readonly height: number;
  /** The length of the longest number in characters. */
  readonly characters: number;
  readonly hasTrend: boolean;
  readonly hasChange: boolean;
}

/**
 * Returns sizes in pixels, and positions in pixels from the top of the cell. `size` is the number's font size. With
 * `oneLine`, name and change share a line. `trend` is absent if it doesn't fit.
 */
export function statisticPlace(needs: StatisticNeeds) {
  const { width, height, characters, hasTrend, hasChange } = needs;
  const oneLine = height < lowCell;
  const lines = gap + line * (hasChange && !oneLine ? 2 : 1);
  const inner = height - 2 * edge;
  const byWidth = (width * 1.5) / Math.max(5, characters);
  const byHeight = Math.min(height * 0.28, (inner - lines) / 1.2);
  const size = Math.max(sizeMin, Math.min(sizeMax, byWidth, byHeight));
  const numberLine = Math.round(size * 1.2);
  const text = numberLine + lines;
  const left = inner - text - trendGap;
  const hasRoom = hasTrend && left >= trendMin;
  const trendHeight = Math.min(left, height * 0.5);
  const all = text + (hasRoom ? trendGap + trendHeight : 0);
  const textTop = edge + Math.max(0, (inner - all) / 2);
  const textBottom = textTop + text;
  return {
    size,
    numberLine,
    gap,
    line,
    oneLine,
    textTop,
    textBottom,
    ...(hasRoom && { trend: { top: textBottom + trendGap, height: trendHeight } }),
  };
}

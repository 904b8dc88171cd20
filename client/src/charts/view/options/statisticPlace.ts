/** Where the parts of a statistic are in its cell: the number, the lines below it, and the trend. */

/** Pixels of a line below the number, between number and lines, around the trend, and at the edges. */
const [line, gap, trendGap, edge] = [17, 2, 6, 4];
/** A trend of fewer pixels says nothing. */
const trendMin = 16;
const [sizeMin, sizeMax] = [14, 56];
/** Cells of fewer pixels have name and change in one line. */
const lowCell = 150;

interface StatisticNeeds {
  /** Pixels of the cell. */
  readonly width: number;
  readonly height: number;
  /** Characters of the longest number. */
  readonly characters: number;
  readonly hasTrend: boolean;
  readonly hasChange: boolean;
}

/**
 * Returns pixels, from the top of the cell where they are places: the font (`size`), the line of the number, the lines
 * below it, which may be one for name and change, and the trend if there is room for it.
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

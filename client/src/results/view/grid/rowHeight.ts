/** The row height, which is smaller in a low panel so that ten rows fit. */
const usual = 22;
const low = 18;
/** The number of lines in a row of wrapped text, and the height of each line. */
const wrappedLines = 4;
const lineHeight = 17;

/** A panel of 300 px in VS Code leaves 265 px for the page. The style sheet has the same limit. */
const lowPage = matchMedia('(max-height: 280px)');

/** Returns the row height in pixels. `isBounded`: whether the grid is as high as its rows, as in a notebook. */
export function rowHeight(isWrapped: boolean, isBounded: boolean): number {
  if (isWrapped) return wrappedLines * lineHeight + 5;
  return lowPage.matches && !isBounded ? low : usual;
}

/** The height of rows: lower in a low panel, which then shows ten of them. */
const usual = 22;
const low = 18;
/** Lines of a row while text is wrapped, and their height. */
const wrappedLines = 4;
const lineHeight = 17;

/** A panel of 300 px in VS Code leaves the page 265. The styles have the same limit. */
const lowPage = matchMedia('(max-height: 280px)');

/** Gives pixels. `isBounded` is of a grid that is as high as its rows, as in a notebook. */
export function rowHeight(isWrapped: boolean, isBounded: boolean): number {
  if (isWrapped) return wrappedLines * lineHeight + 5;
  return lowPage.matches && !isBounded ? low : usual;
}

/** Makes the grid's container high enough to show rows of a total height without scrolling. */
export function fitHeight(container: HTMLElement, rows: number): void {
  const header = container.querySelector<HTMLElement>('.slick-header')?.offsetHeight ?? 0;
  const viewport = container.querySelector<HTMLElement>('.slick-viewport-top.slick-viewport-right');
  const scrollBar = viewport ? viewport.offsetHeight - viewport.clientHeight : 0;
  container.style.height = `${header + rows + scrollBar}px`;
}

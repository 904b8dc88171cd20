/** The results page's styles, scoped to this renderer's outputs, because other renderers share the document. */
import slick from 'slickgrid/dist/styles/css/slick.grid.css';
import chart from '../../charts/view/chart.css';
import cells from '../../results/view/styles/cells.css';
import columnPanel from '../../results/view/styles/columnPanel.css';
import detail from '../../results/view/styles/detail.css';
import filters from '../../results/view/styles/filters.css';
import find from '../../results/view/styles/find.css';
import grid from '../../results/view/styles/grid.css';
import messages from '../../results/view/styles/messages.css';
import page from '../../results/view/styles/page.css';
import statusLine from '../../results/view/styles/statusLine.css';
import strip from '../../results/view/styles/strip.css';
import kit from '../../webview/page/kit.css';
import notebook from './notebook.css';

export const pageClass = 'aplomb-output';

const sheets = [
  slick,
  kit,
  page,
  statusLine,
  messages,
  filters,
  find,
  grid,
  cells,
  columnPanel,
  detail,
  strip,
  chart,
];

export function addStyles(): void {
  const scoped = new CSSStyleSheet();
  scoped.replaceSync(`@scope (.${pageClass}) {\n${sheets.join('\n')}\n}`);
  const own = new CSSStyleSheet();
  own.replaceSync(notebook);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, scoped, own];
}

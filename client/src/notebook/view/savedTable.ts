/** Draws saved rows as a plain table, because the results store doesn't contain them. */

import { counted, grouped } from '../../../../formats/src/counts.ts';
import { element } from '../../webview/page/dom.ts';
import type { SavedRows } from '../shownOutput.ts';

export function savedTable({ columns, rows, rowCount, run }: SavedRows): HTMLElement {
  const isCut = rows.length < rowCount;
  const count = isCut
    ? `${grouped(rows.length)} of ${grouped(rowCount)} rows`
    : counted(rowCount, 'row');
  const note = `Saved output: ${[count, ...run].join(' · ')}. Run the cell to ${isCut ? 'see all' : 'explore them'}.`;
  const heads = columns.map(({ name, type }) =>
    element('th', { text: name, title: type, attributes: { scope: 'col' } }),
  );
  const lines = rows.map((row) => {
    const cells = row.map((cell, index) => savedCell(cell, columns[index]?.type ?? ''));
    return element('tr', {}, cells);
  });
  const table = element('table', { class: 'mono' }, [
    element('thead', { class: 'sticky' }, [element('tr', {}, heads)]),
    element('tbody', {}, lines),
  ]);
  const attributes = { tabindex: '0', role: 'region', 'aria-label': 'Saved output' };
  return element('div', { class: 'saved' }, [
    element('p', { class: 'saved-note dim', text: note }),
    element('div', { class: 'saved-rows', attributes }, [table]),
  ]);
}

const numeric: ReadonlySet<string> = new Set(['integer', 'float', 'long', 'real', 'int', 'double']);

function savedCell(cell: string | null, type: string): HTMLElement {
  if (cell === null) return element('td', { class: 'null', text: '∅', title: 'null' });
  return element('td', { text: cell, ...(numeric.has(type) && { class: 'number' }) });
}

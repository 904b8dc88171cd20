/** Draws the filters in effect, each with buttons to change and remove it. */

import { grouped } from '../../../../formats/src/counts.ts';
import { visibleText } from '../../../../table/src/visibleText.ts';
import { textButton } from '../../webview/page/controls.ts';
import { button, element } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import { filterText } from './filterText.ts';
import type { OpenTable } from './table/openTable.ts';
import type { RowArranging } from './table/rowArranging.ts';

export function drawChips(
  bar: HTMLElement,
  { table, rowCount, view: { filters } }: OpenTable,
  arranging: RowArranging,
): void {
  bar.hidden = filters.length === 0;
  const focused = bar.contains(document.activeElement);
  const chips = filters.flatMap((filter) => {
    const column = table.columns[filter.column];
    if (column === undefined) return [];
    const text = filterText(filter, column);
    return element('span', { class: 'chip beside' }, [
      button({
        class: 'chip-text cut',
        text,
        title: `${visibleText(text)}\nClick to change`,
        onClick: ({ currentTarget }) =>
          arranging.openPanel(filter.column, currentTarget as HTMLElement),
      }),
      button(
        {
          class: 'chip-remove beside',
          label: `Remove filter: ${text}`,
          title: 'Remove filter',
          onClick: () => arranging.filter(filters.filter((other) => other !== filter)),
        },
        [icon('close')],
      ),
    ]);
  });
  const count = `${grouped(rowCount)} of ${grouped(table.totalRows)}`;
  bar.replaceChildren(
    ...chips,
    textButton('quiet clear', 'Clear Filters', () => arranging.filter([])),
    element('span', { class: 'filter-count dim digits', text: count, role: 'status' }),
  );
  if (focused) bar.querySelector<HTMLElement>('button')?.focus();
}

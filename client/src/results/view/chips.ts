/** The filters in effect, each with a way to change and to remove it. */

import { grouped } from '../../../../formats/src/counts.ts';
import type { ColumnFilter } from '../../../../table/src/viewState.ts';
import { button, element } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import type { ViewTable } from '../messages.ts';
import { filterText } from './filterText.ts';

interface ChipActions {
  readonly onOpen: (column: number, anchor: HTMLElement) => void;
  readonly onFilters: (filters: readonly ColumnFilter[]) => void;
}

export function drawChips(
  bar: HTMLElement,
  table: ViewTable,
  filters: readonly ColumnFilter[],
  rowCount: number,
  { onOpen, onFilters }: ChipActions,
): void {
  bar.hidden = filters.length === 0;
  const focused = bar.contains(document.activeElement);
  const chips = filters.flatMap((filter) => {
    const column = table.columns[filter.column];
    if (column === undefined) return [];
    const text = filterText(filter, column);
    return element('span', { class: 'chip' }, [
      button({
        class: 'chip-text',
        text,
        title: `${text}\nClick to change`,
        onClick: ({ currentTarget }) => onOpen(filter.column, currentTarget as HTMLElement),
      }),
      button(
        {
          class: 'chip-remove',
          label: `Remove filter: ${text}`,
          title: 'Remove filter',
          onClick: () => onFilters(filters.filter((other) => other !== filter)),
        },
        [icon('close')],
      ),
    ]);
  });
  const count = `${grouped(rowCount)} of ${grouped(table.totalRows)}`;
  bar.replaceChildren(
    ...chips,
    button({ class: 'quiet clear', text: 'Clear Filters', onClick: () => onFilters([]) }),
    element('span', { class: 'filter-count', text: count, attributes: { role: 'status' } }),
  );
  if (focused) bar.querySelector<HTMLElement>('button')?.focus();
}

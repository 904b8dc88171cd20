/** Chooses which columns are shown, by a list that can be searched. */
import { button, element } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import type { ViewTable } from '../messages.ts';

export function chooseColumns(
  anchor: HTMLElement,
  { columns }: ViewTable,
  order: readonly number[],
  hidden: readonly number[],
  onHidden: (hidden: readonly number[]) => void,
): void {
  let now = new Set(hidden);
  const search = element('input', {
    class: 'field',
    attributes: { type: 'text', placeholder: 'Search columns', 'aria-label': 'Search columns' },
  });
  const list = element('div', {
    class: 'values',
    attributes: { role: 'group', 'aria-label': 'Columns', tabindex: '0' },
  });
  const change = (next: Set<number>) => {
    // A table without columns has nothing to bring them back with.
    if (next.size >= columns.length) return draw();
    now = next;
    onHidden([...now]);
    draw();
  };
  const draw = () => {
    const wanted = search.value.toLowerCase();
    const focused = list.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.column
      : undefined;
    list.replaceChildren(
      ...order.flatMap((index) => {
        const column = columns[index];
        if (column === undefined || !column.name.toLowerCase().includes(wanted)) return [];
        const box = element('input', {
          attributes: { type: 'checkbox', 'data-column': String(index) },
        });
        box.checked = !now.has(index);
        box.addEventListener('change', () => {
          const next = new Set(now);
          if (box.checked) next.delete(index);
          else next.add(index);
          change(next);
        });
        return element('label', { class: 'value' }, [
          box,
          element('span', { class: 'value-text', text: column.name }),
          element('span', { class: 'value-count', text: column.type }),
        ]);
      }),
    );
    if (focused !== undefined)
      list.querySelector<HTMLElement>(`[data-column="${focused}"]`)?.focus();
  };
  search.addEventListener('input', draw);
  draw();
  const popup = new Popup(
    [
      element('div', { class: 'panel-form' }, [
        element('div', { class: 'panel-row' }, [search]),
        list,
        element('div', { class: 'panel-buttons' }, [
          button({ class: 'action', text: 'Done', onClick: () => popup.close() }),
          button({
            class: 'action secondary',
            text: 'Show All',
            onClick: () => change(new Set()),
          }),
        ]),
      ]),
    ],
    { label: 'Columns', class: 'column-chooser' },
  );
  popup.show(anchor, search);
}

/** Lets the user choose the visible columns from a searchable list. */
import { checkbox, textButton, textField } from '../../webview/page/controls.ts';
import { element } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import type { OpenTable } from './table/openTable.ts';

export function chooseColumns(
  anchor: HTMLElement,
  { table: { columns }, view: { columnOrder, hidden } }: OpenTable,
  onHidden: (hidden: readonly number[]) => void,
): void {
  let now = new Set(hidden);
  const search = textField('Search columns');
  const list = element('div', { class: 'values', role: 'group', label: 'Columns', tabIndex: 0 });
  const change = (next: Set<number>) => {
    // Keep at least one column, because an empty table offers no way to bring columns back.
    if (next.size < columns.length) {
      now = next;
      onHidden([...now]);
    }
    draw();
  };
  const draw = () => {
    const wanted = search.value.toLowerCase();
    const focused = list.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.column
      : undefined;
    list.replaceChildren(
      ...columnOrder.flatMap((index) => {
        const column = columns[index];
        if (column === undefined || !column.name.toLowerCase().includes(wanted)) return [];
        const box = checkbox(!now.has(index));
        box.dataset.column = String(index);
        box.addEventListener('change', () => {
          const next = new Set(now);
          if (box.checked) next.delete(index);
          else next.add(index);
          change(next);
        });
        return element('label', { class: 'value beside' }, [
          box,
          element('span', { class: 'value-text cut fill', text: column.name }),
          element('span', { class: 'value-count rigid dim digits', text: column.type }),
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
      element('div', { class: 'panel-form stack' }, [
        element('div', { class: 'panel-row beside' }, [search]),
        list,
        element('div', { class: 'panel-buttons beside' }, [
          textButton('action', 'Done', () => popup.close()),
          textButton('action secondary', 'Show All', () => change(new Set())),
        ]),
      ]),
    ],
    { label: 'Columns', class: 'column-chooser' },
  );
  popup.show(anchor, search);
}

/** A dashboard's filters: selection lists and search fields. */
import { choice } from '../../webview/page/controls.ts';
import { debounced, element } from '../../webview/page/dom.ts';
import type { FilterView } from '../boardContent.ts';
import { board } from './channel.ts';

const typingMs = 400;

export class FilterBar {
  readonly element = element('div', { class: 'filter-bar flow fill' });
  #drawn = '';

  update(filters: readonly FilterView[]): void {
    // Keep the fields if only values changed, because the user may be typing in a field.
    const drawn = JSON.stringify(filters.map((filter) => ({ ...filter, value: '' })));
    if (drawn === this.#drawn) return this.#setValues(filters);
    this.#drawn = drawn;
    const focused = document.activeElement?.id;
    this.element.replaceChildren(...filters.map(field));
    this.#setValues(filters);
    if (focused) document.getElementById(focused)?.focus();
  }

  #setValues(filters: readonly FilterView[]): void {
    for (const { id, value } of filters) {
      const input = this.element.querySelector<HTMLInputElement | HTMLSelectElement>(
        `#${CSS.escape(inputId(id))}`,
      );
      const isTyping = input instanceof HTMLInputElement && input === document.activeElement;
      if (input && !isTyping) input.value = value;
    }
  }
}

const inputId = (filter: string) => `filter ${filter}`.replaceAll(' ', '-');

function field(filter: FilterView): HTMLElement {
  const { id, name, problem } = filter;
  const input = filter.kind === 'search' ? searchInput(filter) : selectInput(filter);
  return element('div', { class: 'filter beside' }, [
    element('label', { text: name, attributes: { for: inputId(id) } }),
    input,
    problem === undefined
      ? undefined
      : element('span', { class: 'filter-problem', lines: problem, role: 'alert' }),
  ]);
}

function selectInput({ id, options }: FilterView): HTMLElement {
  const select = choice(
    { id: inputId(id) },
    options.map(({ label, value }) => [value, label || '(empty)']),
  );
  select.addEventListener('change', () =>
    board.send('setFilter', { filter: id, value: select.value }),
  );
  return select;
}

function searchInput({ id }: FilterView): HTMLElement {
  const input = element('input', {
    class: 'field',
    attributes: { id: inputId(id), type: 'search', placeholder: 'Search' },
  });
  const send = debounced(typingMs, () =>
    board.send('setFilter', { filter: id, value: input.value }),
  );
  input.addEventListener('input', send);
  input.addEventListener('change', () => {
    send();
    send.flush();
  });
  return input;
}

// A select for units. Its other options are added on focus, because a form may have a thousand selects.
import { element } from '../../webview/page/dom.ts';
import { unitGroups } from './unitChoices.ts';

export function unitSelect(label: string, unit: string): HTMLSelectElement {
  const select = element('select', {
    class: 'field unit',
    attributes: { 'aria-label': label, 'data-control': 'unit' },
  });
  select.append(option(unit));
  select.value = unit;
  const fill = () => {
    const { value } = select;
    select.replaceChildren(option(''));
    if (value !== '' && wordsOf(value) === undefined) select.append(option(value));
    for (const group of unitGroups) {
      const made = element('optgroup', { attributes: { label: group.label } });
      made.append(...group.units.map(([name]) => option(name)));
      select.append(made);
    }
    select.value = value;
  };
  select.addEventListener('focus', fill, { once: true });
  // The pointer opens the list before it has the focus.
  select.addEventListener('pointerdown', () => select.focus(), { once: true });
  return select;
}

function option(unit: string): HTMLOptionElement {
  const words = wordsOf(unit);
  const text = unit === '' ? 'none' : words === undefined ? unit : `${unit} · ${words}`;
  return element('option', { text, attributes: { value: unit } });
}

export function wordsOf(unit: string): string | undefined {
  for (const { units } of unitGroups) {
    const found = units.find(([name]) => name === unit);
    if (found !== undefined) return found[1];
  }
  return undefined;
}

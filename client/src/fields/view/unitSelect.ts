// A select for units. Its options are added on focus, because a form may have a thousand selects.
import { element } from '../../webview/page/dom.ts';
import { unitGroups } from './unitChoices.ts';

const words = new Map(Object.values(unitGroups).flatMap((units) => Object.entries(units)));

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
    if (value !== '' && !words.has(value)) select.append(option(value));
    for (const [label, units] of Object.entries(unitGroups)) {
      const options = Object.keys(units).map(option);
      select.append(element('optgroup', { attributes: { label } }, options));
    }
    select.value = value;
  };
  select.addEventListener('focus', fill, { once: true });
  // Add the options on pointer down, because a pointer opens the list before the select has the focus.
  select.addEventListener('pointerdown', () => select.focus(), { once: true });
  return select;
}

function option(unit: string): HTMLOptionElement {
  const named = words.get(unit);
  const text = named === undefined ? unit || 'none' : `${unit} · ${named}`;
  return element('option', { text, attributes: { value: unit } });
}

/** The menu of all tabs, for tabs that are out of view. Arrow keys move, letters jump, and Enter shows a result. */

import type { TabId } from '../../answers/tabs.ts';
import { button, element } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import type { TabStrip } from '../pageContent.ts';

export function openTabList(
  anchor: HTMLElement,
  { tabs, active }: TabStrip,
  onChoose: (tab: TabId) => void,
): void {
  const items = tabs.map(({ id, label, query, pinned, running, failed }) => {
    const state = running ? 'running' : failed ? 'failed' : pinned ? 'pinned' : '';
    return button(
      {
        class: 'menu-item beside rigid',
        title: query,
        attributes: {
          role: 'menuitemradio',
          'aria-checked': String(id === active),
          tabindex: '-1',
        },
        onClick: () => {
          popup.close();
          onChoose(id);
        },
      },
      [
        element('span', { class: 'menu-text cut fill', text: label }),
        element('span', { class: 'menu-note rigid', text: state }),
      ],
    );
  });
  const menu = element('div', { class: 'menu stack', role: 'menu', label: 'All results' }, items);
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      return popup.close();
    }
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const target = menuTarget(
      event.key,
      at,
      tabs.map(({ label }) => label.replace(/^… /, '')),
    );
    if (target === undefined) return;
    items[target]?.focus();
    event.preventDefault();
  });
  const popup = new Popup([menu], { label: 'All Results', class: 'tab-list' });
  const current = Math.max(
    0,
    tabs.findIndex(({ id }) => id === active),
  );
  popup.show(anchor, items[current]);
}

/** Returns the item that a key leads to from `at`, or undefined if the key leads nowhere. */
function menuTarget(key: string, at: number, titles: readonly string[]): number | undefined {
  const count = titles.length;
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: (at + 1) % count,
    ArrowUp: (at - 1 + count) % count,
    Home: 0,
    End: count - 1,
  };
  if (Object.hasOwn(targets, key)) return targets[key];
  if (key.length !== 1 || key === ' ') return undefined;
  const begins = (index: number) =>
    titles[index % count]?.toLowerCase().startsWith(key.toLowerCase());
  for (let step = 1; step <= count; step++) if (begins(at + step)) return (at + step) % count;
  return undefined;
}

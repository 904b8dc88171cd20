/** The strip of result tabs. It is one tab stop: arrow keys move between tabs, F2 renames, and Delete closes. */

import type { TabId } from '../../answers/tabs.ts';
import { button, element } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import type { TabStrip, ViewTab } from '../pageContent.ts';
import { channel } from './channel.ts';
import { openTabList } from './tabList.ts';

const maxName = 200;
const edges = 8;

export class TabStripView {
  readonly element: HTMLElement;
  readonly #list = element('div', { class: 'tab-strip', role: 'tablist', label: 'Results' });
  /** The button that lists all tabs, shown while some tabs are out of view. */
  readonly #all = button(
    {
      class: 'quiet tab-list-button rigid',
      label: 'All Results',
      attributes: { 'aria-haspopup': 'menu' },
      onClick: ({ currentTarget }) => this.#openList(currentTarget as HTMLElement),
    },
    [icon('more')],
  );
  #strip: TabStrip = { tabs: [], active: null };
  #renaming: TabId | undefined;

  constructor() {
    this.element = element('div', { class: 'tab-bar beside rigid' }, [this.#list, this.#all]);
    this.#all.hidden = true;
    this.#list.addEventListener(
      'wheel',
      ({ deltaY }) => {
        this.#list.scrollLeft += deltaY;
      },
      { passive: true },
    );
    new ResizeObserver(() => this.#offerList()).observe(this.element);
  }

  draw(strip: TabStrip): void {
    const focused = this.#list.contains(document.activeElement);
    this.#strip = strip;
    // Do not redraw while a name is being typed.
    if (this.#renaming !== undefined && strip.tabs.some(({ id }) => id === this.#renaming)) return;
    this.#renaming = undefined;
    this.element.hidden = strip.tabs.length === 0;
    this.#list.replaceChildren(...strip.tabs.map((tab) => this.#tab(tab)));
    this.#offerList();
    const selected = this.#list.querySelector<HTMLElement>('[aria-selected="true"]');
    selected?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (focused) selected?.focus();
  }

  rename(id: TabId): void {
    const tab = this.#strip.tabs.find((other) => other.id === id);
    const holder = this.#list.querySelector(`[data-tab="${CSS.escape(id)}"]`);
    if (tab === undefined || holder === null) return;
    this.#renaming = id;
    const field = element('input', {
      class: 'field tab-name',
      label: 'Name of the result',
      attributes: { maxlength: String(maxName) },
    });
    field.value = tab.title;
    const end = (keep: boolean) => {
      if (this.#renaming !== id) return;
      this.#renaming = undefined;
      if (keep && field.value !== tab.title)
        channel.send('renameTab', { tab: id, name: field.value.slice(0, maxName) });
      this.draw(this.#strip);
      this.#focus(id);
    };
    field.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Enter') end(true);
      else if (event.key === 'Escape') end(false);
    });
    // Keep editing if the window itself loses the focus, for example to a menu.
    field.addEventListener('blur', () => document.hasFocus() && end(true));
    holder.replaceChildren(field);
    field.select();
    field.focus();
  }

  #tab(tab: ViewTab): HTMLElement {
    const { id, label, query, pinned, running, failed, production } = tab;
    const selected = id === this.#strip.active;
    const state = running ? 'running' : failed ? 'failed' : '';
    const select = button(
      {
        class: 'tab beside',
        title: `${query}${pinned ? '\n(pinned)' : ''}${production ? '\n(production)' : ''}`,
        attributes: {
          role: 'tab',
          'aria-selected': String(selected),
          tabindex: selected ? '0' : '-1',
          ...(selected && { 'aria-controls': 'content' }),
        },
        onClick: () => channel.send('activateTab', { tab: id }),
      },
      [
        state === '' ? undefined : element('span', { class: `tab-state rigid ${state}` }),
        pinned ? icon('pin') : undefined,
        element('span', { class: 'tab-title cut', text: label }),
        element('span', {
          class: 'heard',
          text: [production ? 'production' : '', state].filter(Boolean).join(' '),
        }),
      ],
    );
    select.addEventListener('dblclick', () => this.rename(id));
    select.addEventListener('keydown', (event) => this.#key(event, tab));
    const close = button(
      {
        class: 'tab-close quiet',
        label: pinned ? `Unpin ${label}` : `Close ${label}`,
        title: pinned ? 'Unpin' : 'Close (Delete)',
        // Not a tab stop, because a tab list may contain only tabs. Delete closes a tab instead.
        attributes: { tabindex: '-1', 'aria-hidden': 'true' },
        onClick: () =>
          pinned
            ? channel.send('pinTab', { tab: id, pinned: false })
            : channel.send('closeTab', { tab: id }),
      },
      [icon(pinned ? 'pin' : 'close')],
    );
    const holder = element(
      'div',
      {
        class: `tab-holder beside${selected ? ' selected' : ''}${production ? ' production' : ''}`,
        attributes: {
          role: 'presentation',
          'data-tab': id,
          'data-vscode-context': JSON.stringify({
            aplombResults: 'tab',
            aplombTab: id,
            aplombPinned: pinned,
          }),
        },
      },
      [select, close],
    );
    holder.addEventListener('auxclick', ({ button: pressed }) => {
      if (pressed === 1) channel.send('closeTab', { tab: id });
    });
    return holder;
  }

  #key(event: KeyboardEvent, { id }: ViewTab): void {
    const { tabs } = this.#strip;
    const at = tabs.findIndex((tab) => tab.id === id);
    const targets: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = Object.hasOwn(targets, event.key)
      ? tabs[targets[event.key] as number]
      : undefined;
    if (target) {
      this.#focus(target.id);
      channel.send('activateTab', { tab: target.id });
    } else if (event.key === 'F2') this.rename(id);
    else if (event.key === 'Delete') channel.send('closeTab', { tab: id });
    else return;
    event.preventDefault();
  }

  /** Shows the list button if the tabs wouldn't fit even without it. */
  #offerList(): void {
    const { clientWidth } = this.element;
    const holders = [...this.#list.children] as HTMLElement[];
    const wanted = holders.reduce((sum, { offsetWidth }) => sum + offsetWidth, 0);
    this.#all.hidden = wanted + edges <= clientWidth;
  }

  #openList(anchor: HTMLElement): void {
    openTabList(anchor, this.#strip, (tab) => {
      channel.send('activateTab', { tab });
      this.#focus(tab);
    });
  }

  #focus(id: TabId): void {
    this.#list.querySelector<HTMLElement>(`[data-tab="${CSS.escape(id)}"] [role="tab"]`)?.focus();
  }
}

/** The page of a monitor: its rule in words, its chart, and its test. */
import type { TabId } from '../../results/tabs.ts';
import { button, element } from '../../webview/page/dom.ts';
import type { CardState, MonitorView, StatusView, TestView } from '../messages.ts';
import { CardBox } from './card.ts';
import { board } from './channel.ts';
import { iconButton, showWindow, showWithTitle, windowButton } from './controls.ts';
import { TestPanel } from './testPanel.ts';

export class MonitorPage {
  readonly element = element('div', { class: 'monitor' });
  readonly #name = element('span', { class: 'board-name', attributes: { 'aria-hidden': 'true' } });
  readonly #badge = element('span', { class: 'badge' });
  readonly #about = element('span', { class: 'board-about dim' });
  readonly #toggle = button({ class: 'action secondary', onClick: () => this.#setEnabled() });
  readonly #until = button({
    class: 'action secondary',
    text: 'Disable Until…',
    onClick: () => board.send('disableUntil', null),
  });
  readonly #rule = element('p', { class: 'rule' });
  readonly #window = windowButton();
  readonly #test = new TestPanel();
  #card: CardBox | undefined;
  #view: MonitorView | undefined;
  readonly #place = element('div', { class: 'monitor-chart' });

  constructor() {
    this.element.append(
      element('header', { class: 'board-bar' }, [
        element('div', { class: 'board-title' }, [this.#name, this.#badge, this.#about]),
        element('div', { class: 'board-tools' }, [
          this.#window,
          this.#toggle,
          this.#until,
          iconButton('Refresh', 'refresh', () => board.send('refresh', null)),
          iconButton('Open Monitor as JSON', 'code', () => board.send('openDocument', null)),
        ]),
      ]),
      element('div', { class: 'monitor-scroll' }, [this.#rule, this.#place, this.#test.element]),
    );
  }

  update(view: MonitorView): void {
    this.#view = view;
    showWithTitle(this.#name, view.name);
    this.#badge.textContent = view.state;
    this.#badge.classList.toggle('on', view.isEnabled);
    const about = [view.type, view.description, view.deployment];
    showWithTitle(this.#about, about.filter(Boolean).join(' · '));
    this.#toggle.textContent = view.isEnabled ? 'Disable' : 'Enable';
    this.#rule.textContent = view.rule;
    showWindow(this.#window, view.window, 'Time range of the chart');
    this.#test.setAllowed(view.untestable);
    if (this.#card) this.#card.update(view.card);
    else {
      this.#card = new CardBox(view.card);
      this.#place.replaceChildren(this.#card.element);
      this.#card.setInView(true);
    }
  }

  setCard(state: CardState): void {
    this.#card?.set(state);
  }

  setStatus(status: StatusView): void {
    this.#card?.setStatus(status);
  }

  setTest(test: TestView): void {
    this.#test.update(test);
  }

  changed(tab: TabId | null): void {
    this.#card?.changed(tab);
  }

  marksChanged(): void {
    this.#card?.marksChanged();
  }

  focus(): void {
    this.#window.focus();
  }

  dispose(): void {
    this.#card?.dispose();
    this.#test.dispose();
    this.element.remove();
  }

  #setEnabled(): void {
    if (this.#view) board.send('setEnabled', { enabled: !this.#view.isEnabled });
  }
}

/** The page of a monitor: its rule in words, its chart, and a test of it against data. */
import { button, element } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import type { CardState, MonitorView, StatusView, TestView } from '../messages.ts';
import { CardBox } from './card.ts';
import { board } from './channel.ts';
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
  readonly #window = button({
    class: 'field choice',
    onClick: () => board.send('chooseWindow', null),
  });
  readonly #test = new TestPanel();
  #card: CardBox | undefined;
  #view: MonitorView | undefined;
  readonly #place = element('div', { class: 'monitor-chart' });

  constructor() {
    const refresh = button(
      { class: 'quiet', label: 'Refresh', onClick: () => board.send('refresh', null) },
      [icon('refresh')],
    );
    const document = button(
      {
        class: 'quiet',
        label: 'Open Monitor as JSON',
        onClick: () => board.send('openDocument', null),
      },
      [icon('code')],
    );
    this.element.append(
      element('header', { class: 'board-bar' }, [
        element('div', { class: 'board-title' }, [this.#name, this.#badge, this.#about]),
        element('div', { class: 'board-tools' }, [
          this.#window,
          this.#toggle,
          this.#until,
          refresh,
          document,
        ]),
      ]),
      element('div', { class: 'monitor-scroll' }, [this.#rule, this.#place, this.#test.element]),
    );
  }

  update(view: MonitorView): void {
    this.#view = view;
    this.#name.textContent = view.name;
    this.#name.title = view.name;
    this.#badge.textContent = view.state;
    this.#badge.classList.toggle('on', view.isEnabled);
    this.#about.textContent = [view.type, view.description, view.deployment]
      .filter(Boolean)
      .join(' · ');
    this.#about.title = this.#about.textContent;
    this.#toggle.textContent = view.isEnabled ? 'Disable' : 'Enable';
    this.#rule.textContent = view.rule;
    this.#window.textContent = view.window.charAt(0).toUpperCase() + view.window.slice(1);
    this.#window.ariaLabel = `Time range of the chart: ${view.window}`;
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

  changed(tab: string): void {
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

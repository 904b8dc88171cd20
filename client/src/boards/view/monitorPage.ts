/** The page of a monitor: its rule as sentences, its chart and its test. */
import type { TabId } from '../../answers/tabs.ts';
import { textButton } from '../../webview/page/controls.ts';
import { element, setText } from '../../webview/page/dom.ts';
import type { CardState, MonitorView, StatusView, TestView } from '../boardContent.ts';
import { CardBox } from './card.ts';
import { board } from './channel.ts';
import { ResourceBar } from './resourceBar.ts';
import { TestPanel } from './testPanel.ts';

export class MonitorPage {
  readonly element = element('div', { class: 'monitor stack fill' });
  readonly #badge = element('span', { class: 'badge rigid' });
  readonly #toggle = textButton('action secondary', '', () =>
    board.send('setEnabled', { enabled: !this.#isEnabled }),
  );
  readonly #until = textButton('action secondary', 'Disable Until…', () =>
    board.send('disableUntil', null),
  );
  readonly #rule = element('p', { class: 'rule' });
  readonly #bar = new ResourceBar('Monitor', [this.#toggle, this.#until], this.#badge);
  readonly #test = new TestPanel();
  #card: CardBox | undefined;
  #isEnabled = false;
  readonly #place = element('div', { class: 'monitor-chart' });

  constructor() {
    this.element.append(
      this.#bar.element,
      element('div', { class: 'monitor-scroll fill' }, [
        this.#rule,
        this.#place,
        this.#test.element,
      ]),
    );
  }

  update(view: MonitorView): void {
    this.#isEnabled = view.isEnabled;
    setText(this.#badge, view.state);
    this.#badge.classList.toggle('on', view.isEnabled);
    const about = [view.type, view.description, view.deployment];
    this.#bar.update(view, about, 'Time range of the chart');
    setText(this.#toggle, view.isEnabled ? 'Disable' : 'Enable');
    setText(this.#rule, view.rule);
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
    this.#bar.window.focus();
  }

  dispose(): void {
    this.#card?.dispose();
    this.#test.dispose();
    this.element.remove();
  }
}

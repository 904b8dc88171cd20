/** The answer of a card, drawn as on the results page. */
import type { Screen } from '../../results/messages.ts';
import type { TabId } from '../../results/tabs.ts';
import { AnswerView } from '../../results/view/answerView.ts';
import { loadCharts } from '../../results/view/loadCharts.ts';
import { failedMessage, goneMessage } from '../../results/view/messages.ts';
import { element } from '../../webview/page/dom.ts';
import { answers } from './channel.ts';

const nonce = document.body.dataset.nonce ?? '';
/** The address of this script, which the browser gives only while the script first runs. */
const address = (document.currentScript as HTMLScriptElement | null)?.src ?? document.baseURI;

export const charts = () => loadCharts(address);

export class CardAnswer {
  readonly element = element('div', { class: 'card-answer' });
  readonly tab: TabId;
  #view: AnswerView | undefined;
  #drawing = 0;

  constructor(tab: TabId) {
    this.tab = tab;
  }

  /** Draws the current answer. The element must be in the page. */
  async draw(): Promise<void> {
    this.#drawing += 1;
    const drawing = this.#drawing;
    const screen = await answers
      .request('screen', { tab: this.tab })
      .catch((): Screen | null => null);
    // A later call draws the newer state.
    if (drawing !== this.#drawing || screen === null) return;
    if (this.#view?.shows(screen)) return this.#view.update(screen);
    this.#show(screen);
  }

  marksChanged(): void {
    this.#view?.marksChanged();
  }

  dispose(): void {
    this.#drawing += 1;
    this.#view?.dispose();
    this.#view = undefined;
  }

  #show(screen: Screen): void {
    this.#view?.dispose();
    this.#view = undefined;
    const { content } = screen;
    const run = (command: string) => answers.send('action', { tab: this.tab, command });
    if (content === undefined) return this.element.replaceChildren();
    if (content.kind === 'failed') return this.element.replaceChildren(failedMessage(content, run));
    if (content.kind === 'gone') return this.element.replaceChildren(goneMessage(content, run));
    const view = new AnswerView({ nonce, run, loadCharts: charts }, screen, content);
    this.#view = view;
    this.element.replaceChildren(view.element);
    view.start();
  }
}

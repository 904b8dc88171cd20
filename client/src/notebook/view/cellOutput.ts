/** The output of a query: its result or failure as on the results page, the rows that were saved, or a note. */
import type { MenuPlace, PageAction, Screen } from '../../results/messages.ts';
import { AnswerView } from '../../results/view/answerView.ts';
import { loadCharts } from '../../results/view/loadCharts.ts';
import { failedMessage, goneMessage } from '../../results/view/messages.ts';
import { element } from '../../webview/page/dom.ts';
import type { ShownOutput } from '../shownOutput.ts';
import { channel } from './channel.ts';
import { savedTable } from './savedTable.ts';
import { pageClass } from './styles.ts';

/** Rows in view at once; the others are scrolled to. */
const maxRows = 12;

export class CellOutput {
  readonly tab: string | undefined;
  readonly #shown: ShownOutput;
  readonly #box = element('div', { class: pageClass });
  #view: AnswerView | undefined;
  #drawing = 0;

  constructor(shown: ShownOutput, into: HTMLElement) {
    this.#shown = shown;
    this.tab = shown.tab;
    into.replaceChildren(this.#box);
    this.#box.addEventListener('keydown', (event) => this.#key(event));
    this.#box.addEventListener('contextmenu', (event) => this.#menu(event), { capture: true });
  }

  async draw(): Promise<void> {
    const { tab } = this;
    this.#drawing += 1;
    const drawing = this.#drawing;
    const screen =
      tab === undefined
        ? null
        : await channel.request('screen', { tab }).catch((): Screen | null => null);
    // A newer state is on its way.
    if (drawing !== this.#drawing) return;
    if (screen !== null && this.#view?.shows(screen)) this.#view.update(screen);
    else this.#draw(screen);
  }

  act(action: PageAction, place: MenuPlace): void {
    this.#view?.act(action, place);
  }

  marksChanged(): void {
    this.#view?.marksChanged();
  }

  dispose(): void {
    this.#drawing += 1;
    this.#view?.dispose();
    this.#view = undefined;
  }

  #draw(screen: Screen | null): void {
    this.dispose();
    const content = screen?.content;
    const run = (command: string) => {
      if (this.tab !== undefined) channel.send('action', { tab: this.tab, command });
    };
    if (screen === null || content === undefined) this.#box.replaceChildren(this.#withoutTab());
    else if (content.kind === 'failed') this.#box.replaceChildren(failedMessage(content, run));
    else if (content.kind === 'gone') this.#box.replaceChildren(goneMessage(content, run));
    else {
      const parts = { nonce: '', run, maxRows, loadCharts: () => loadCharts(import.meta.url) };
      const view = new AnswerView(parts, screen, content);
      this.#box.replaceChildren(view.line, view.element);
      this.#view = view;
      view.start();
    }
  }

  /** What the output itself carries: saved rows, or a failure whose buttons went with the extension host. */
  #withoutTab(): HTMLElement {
    const { saved, failure } = this.#shown;
    if (saved !== undefined) return savedTable(saved);
    const text =
      failure ?? 'The rows of this result are no longer in memory. Run the cell again to see them.';
    return element('p', { class: failure === undefined ? 'gone' : 'gone failure', text });
  }

  /** Reports what a menu is about to VS Code, which reads it from the element afterwards. */
  #menu({ target }: MouseEvent): void {
    const about = target instanceof Element ? this.#view?.menuAt(target) : undefined;
    if (about === undefined) delete this.#box.dataset.vscodeContext;
    else {
      const context = { ...about, aplombOutput: this.tab };
      this.#box.dataset.vscodeContext = JSON.stringify(context);
    }
  }

  /** Keys that are used here do not reach the notebook. */
  #key(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'f') {
      this.#view?.find();
      event.preventDefault();
    }
    if (event.defaultPrevented || event.target instanceof HTMLInputElement) event.stopPropagation();
  }
}

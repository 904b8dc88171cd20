/** Draws a query's output: its result or failure as on the results page, its saved rows, or a note. */
import { AnswerFrame } from '../../results/view/answerFrame.ts';
import { loadCharts } from '../../results/view/loadCharts.ts';
import { element } from '../../webview/page/dom.ts';
import type { ShownOutput } from '../shownOutput.ts';
import { savedTable } from './savedTable.ts';
import { pageClass } from './styles.ts';

/** The maximum number of rows visible without scrolling. */
const maxRows = 12;

export class CellOutput {
  readonly frame: AnswerFrame;
  readonly #shown: ShownOutput;
  readonly #box = element('div', { class: pageClass });

  constructor(shown: ShownOutput, into: HTMLElement) {
    this.#shown = shown;
    this.frame = new AnswerFrame({
      content: element('div', { class: 'output-content' }),
      nonce: '',
      maxRows,
      loadCharts: () => loadCharts(import.meta.url),
      gone: () => this.#withoutTab(),
    });
    this.#box.append(this.frame.above, this.frame.content);
    into.replaceChildren(this.#box);
    this.#box.addEventListener('keydown', (event) => this.#key(event));
    this.#box.addEventListener('contextmenu', (event) => this.#menu(event), { capture: true });
  }

  draw(): Promise<void> {
    return this.frame.draw(this.#shown.tab ?? null);
  }

  /** Draws the output without its tab: saved rows, or a message without buttons, which require the extension host. */
  #withoutTab(): HTMLElement {
    const { saved, failure } = this.#shown;
    if (saved !== undefined) return savedTable(saved);
    const text =
      failure ?? 'The rows of this result are no longer in memory. Run the cell again to see them.';
    return element('p', {
      class: failure === undefined ? 'gone dim' : 'gone dim failure',
      lines: text,
    });
  }

  /** Stores the context menu's target in a data attribute, which VS Code reads afterwards. */
  #menu({ target }: MouseEvent): void {
    const about = target instanceof Element ? this.frame.answer?.menuAt(target) : undefined;
    if (about === undefined) delete this.#box.dataset.vscodeContext;
    else {
      const context = { ...about, aplombOutput: this.frame.tab };
      this.#box.dataset.vscodeContext = JSON.stringify(context);
    }
  }

  /** Prevents the notebook from handling keys that the output has handled. */
  #key(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'f') {
      this.frame.answer?.act('find', {});
      event.preventDefault();
    }
    if (event.defaultPrevented || event.target instanceof HTMLInputElement) event.stopPropagation();
  }
}

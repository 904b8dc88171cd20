/** The output of a query: the answer as on the results page, the rows that were saved, or that they are gone. */
import type { ResultContent, Screen } from '../../results/messages.ts';
import { AnswerView } from '../../results/view/answerView.ts';
import { loadCharts } from '../../results/view/loadCharts.ts';
import { element } from '../../webview/page/dom.ts';
import type { ShownResult } from '../shownResult.ts';
import { channel } from './channel.ts';
import { keptTable } from './keptTable.ts';
import { pageClass } from './styles.ts';

/** Rows in view at once; the others are scrolled to. */
const rowsInView = 12;
const rowHeight = 22;
/** The header, the line above it, the strip below, and a scroll bar. */
const aroundRows = 100;

export class ResultOutput {
  readonly answer: string | undefined;
  readonly #shown: ShownResult;
  readonly #box = element('div', { class: pageClass });
  #view: AnswerView | undefined;
  #drawing = 0;

  constructor(shown: ShownResult, into: HTMLElement) {
    this.#shown = shown;
    this.answer = shown.answer;
    into.replaceChildren(this.#box);
    // A key that is used here is no key of the notebook.
    this.#box.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Draws the answer as it is now. */
  async draw(): Promise<void> {
    const { answer } = this;
    this.#drawing += 1;
    const drawing = this.#drawing;
    const screen =
      answer === undefined
        ? null
        : await channel.request('screen', { answer }).catch((): Screen | null => null);
    // A newer state is on its way.
    if (drawing !== this.#drawing) return;
    if (screen !== null && this.#view?.shows(screen)) this.#view.update(screen);
    else if (screen?.content?.kind === 'result') this.#show(screen, screen.content);
    else this.#showWithoutRows();
  }

  marksChanged(): void {
    this.#view?.marksChanged();
  }

  dispose(): void {
    this.#drawing += 1;
    this.#view?.dispose();
    this.#view = undefined;
  }

  #show(screen: Screen, content: ResultContent): void {
    this.dispose();
    const view = new AnswerView(
      {
        nonce: '',
        run: (command) => {
          if (screen.tab !== null) channel.send('action', { tab: screen.tab, command });
        },
        loadCharts: () => loadCharts(import.meta.url),
      },
      screen,
      content,
    );
    const table = content.tables[content.view.table];
    const rows = Math.min(rowsInView, table?.totalRows ?? 0);
    this.#box.style.height = rows === 0 ? 'auto' : `${aroundRows + rows * rowHeight}px`;
    this.#box.replaceChildren(view.line, view.element);
    this.#view = view;
    view.start();
  }

  #showWithoutRows(): void {
    this.dispose();
    this.#box.style.height = 'auto';
    const { kept } = this.#shown;
    if (kept !== undefined) return this.#box.replaceChildren(keptTable(kept));
    this.#box.replaceChildren(
      element('p', {
        class: 'gone',
        text: 'The rows of this result are no longer in memory. Run the cell again to see them.',
      }),
    );
  }

  #key(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'f') {
      this.#view?.find();
      event.preventDefault();
    }
    if (event.defaultPrevented || event.target instanceof HTMLInputElement) event.stopPropagation();
  }
}

/** The strip below the grid: the figures of the selection, and what changes how rows are shown. */
import { isCancelled } from '../../webview/page/channel.ts';
import { button, debounced, element } from '../../webview/page/dom.ts';
import type { SelectionFigures } from '../store/protocol.ts';
import type { CellBlock } from '../store/viewState.ts';

const FIGURES_MS = 120;
const format = new Intl.NumberFormat('en-US');

export interface StripActions {
  readonly figures: (
    blocks: readonly CellBlock[],
    signal: AbortSignal,
  ) => Promise<SelectionFigures>;
  readonly onTimeZone: () => void;
  readonly onMore: () => void;
}

export interface StripParts {
  readonly timeZone: 'utc' | 'local';
  readonly localZone: string;
  readonly hasTimes: boolean;
  readonly more: boolean;
}

export class StatusStrip {
  readonly element: HTMLElement;
  readonly #figures = element('span', { class: 'figures', attributes: { role: 'status' } });
  readonly #more: HTMLButtonElement;
  readonly #actions: StripActions;
  readonly #later: { (): void; flush(): void };
  #controller = new AbortController();
  #blocks: readonly CellBlock[] = [];

  constructor(actions: StripActions, parts: StripParts) {
    this.#actions = actions;
    this.#later = debounced(FIGURES_MS, () => void this.#ask());
    const zone = parts.timeZone === 'utc' ? 'UTC' : parts.localZone;
    this.#more = button({
      class: 'quiet more-rows',
      text: 'Load More Rows',
      onClick: actions.onMore,
    });
    this.#more.hidden = !parts.more;
    this.element = element('footer', { class: 'strip' }, [
      this.#figures,
      this.#more,
      parts.hasTimes
        ? button({
            class: 'quiet zone',
            text: zone,
            title: `Times are shown in ${zone}. Click to show them in ${parts.timeZone === 'utc' ? parts.localZone : 'UTC'}.`,
            onClick: actions.onTimeZone,
          })
        : undefined,
    ]);
  }

  /** The selection has changed; figures follow when it has come to rest. */
  selected(blocks: readonly CellBlock[]): void {
    this.#blocks = blocks;
    this.#controller.abort();
    if (cellsOf(blocks) < 2) this.#figures.replaceChildren();
    else this.#later();
  }

  loading(isLoading: boolean): void {
    this.#more.disabled = isLoading;
    this.#more.textContent = isLoading ? 'Loading…' : 'Load More Rows';
  }

  /** Says why something came to nothing, until the selection changes. */
  problem(message: string): void {
    this.#controller.abort();
    this.#figures.replaceChildren(element('span', { class: 'strip-problem', text: message }));
  }

  dispose(): void {
    this.#controller.abort();
  }

  async #ask(): Promise<void> {
    if (cellsOf(this.#blocks) < 2) return;
    this.#controller.abort();
    this.#controller = new AbortController();
    try {
      const figures = await this.#actions.figures(this.#blocks, this.#controller.signal);
      this.#figures.replaceChildren(
        ...figureTexts(figures).map(([name, text]) =>
          element('span', { class: 'figure', title: `${name}: ${text}` }, [
            element('span', { class: 'figure-name', text: name }),
            element('span', { text }),
          ]),
        ),
      );
    } catch (error) {
      if (!isCancelled(error))
        this.#figures.textContent = error instanceof Error ? error.message : String(error);
    }
  }
}

function figureTexts(figures: SelectionFigures): [name: string, text: string][] {
  const { cells, count, distinct, sum, avg, min, max } = figures;
  const rows: [string, string | undefined][] = [
    ['cells', format.format(cells)],
    ['count', count === cells ? undefined : format.format(count)],
    ['distinct', `${format.format(distinct.count)}${distinct.exact ? '' : '+'}`],
    ['sum', sum],
    ['avg', avg],
    ['min', min],
    ['max', max],
  ];
  return rows.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])) as [
    string,
    string,
  ][];
}

function cellsOf(blocks: readonly CellBlock[]): number {
  return blocks.reduce(
    (sum, { fromRow, toRow, columns }) => sum + (toRow - fromRow) * columns.length,
    0,
  );
}

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
  readonly #loaded = element('span', { class: 'loaded', attributes: { role: 'status' } });
  readonly #more: HTMLButtonElement;
  readonly #actions: StripActions;
  readonly #later: { (): void; flush(): void };
  #controller = new AbortController();
  #blocks: readonly CellBlock[] = [];

  constructor(actions: StripActions, parts: StripParts) {
    this.#actions = actions;
    this.#later = debounced(FIGURES_MS, () => void this.#ask());
    this.#more = button({
      class: 'quiet more-rows',
      text: 'Load More Rows',
      onClick: actions.onMore,
    });
    this.#more.hidden = !parts.more;
    this.element = element('footer', { class: 'strip' }, [
      this.#figures,
      this.#loaded,
      this.#more,
      parts.hasTimes ? zoneOf(parts, actions.onTimeZone) : undefined,
    ]);
  }

  /** The selection has changed; figures follow when it has come to rest. */
  selected(blocks: readonly CellBlock[]): void {
    this.#blocks = blocks;
    this.#controller.abort();
    if (cellsOf(blocks) < 2) this.#figures.replaceChildren();
    else this.#later();
  }

  offerMore(more: boolean): void {
    this.#more.hidden = !more;
  }

  /** Says that rows which are not loaded are neither sorted nor filtered; nothing for an empty text. */
  ofLoadedRows(what: string): void {
    this.#loaded.textContent = what === '' ? '' : `${what} of the loaded rows only`;
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

/** The time zone in effect; a toggle unless this machine's own zone is UTC as well. */
function zoneOf({ timeZone, localZone }: StripParts, onClick: () => void): HTMLElement {
  if (/^(?:Etc\/)?(?:UTC|UCT|Universal|Zulu)$/.test(localZone))
    return element('span', { class: 'zone plain', text: 'UTC' });
  const [zone, other] = timeZone === 'utc' ? ['UTC', localZone] : [localZone, 'UTC'];
  return button({
    class: 'quiet zone',
    text: zone,
    title: `Times are shown in ${zone}. Click to show them in ${other}.`,
    onClick,
  });
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

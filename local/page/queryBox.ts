/** The query box: an editor, a time range and the results. Cancelling a query also stops it on the deployment. */
import { button, element, section } from './dom.ts';
import { Editor } from './editor.ts';
import { Results } from './results.ts';
import { type Service, ServiceError } from './service.ts';
import { TimeRange } from './timeRange.ts';

export interface QueryBoxOptions {
  readonly service: () => Service | undefined;
  readonly tokenRejected: (error: ServiceError) => void;
}

export class QueryBox {
  readonly element: HTMLElement;
  readonly #options: QueryBoxOptions;
  readonly #editor = new Editor(() => void this.run());
  readonly #range = new TimeRange();
  readonly #run = button('Run', () => void this.run(), { class: 'action' });
  readonly #cancel = button('Cancel', () => this.#running?.abort(), {
    attributes: { disabled: '' },
  });
  readonly #results = new Results({
    goTo: (place) => this.#editor.goTo(place),
    runOverAllTimes: () => {
      this.#range.chooseAllTimes();
      void this.run();
    },
  });
  #running: AbortController | undefined;

  constructor(options: QueryBoxOptions) {
    this.#options = options;
    const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
    const keys = element('span', {
      class: 'hint keys',
      text: `${isMac ? '⌘' : 'Ctrl+'}Enter runs, Escape cancels`,
    });
    const line = element('div', { class: 'line' }, [
      this.#range.element,
      this.#run,
      this.#cancel,
      keys,
    ]);
    this.element = section('query', 'Query', [this.#editor.element, line, this.#results.element]);
    this.element.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.#running?.abort();
    });
  }

  focus(): void {
    this.#editor.focus();
  }

  /** Replaces the query, and chooses a time range that includes the time `last`. */
  propose(apl: string, last: string | undefined): void {
    this.#editor.text = apl;
    if (last !== undefined) this.#range.reach(last);
    this.#editor.focus();
  }

  /** If there is no query yet, does the same as `propose`, but keeps the focus. */
  suggest(apl: string, last: string | undefined): void {
    if (this.#editor.text !== '') return;
    this.#editor.text = apl;
    if (last !== undefined) this.#range.reach(last);
  }

  clear(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#cancel.disabled = true;
    this.#results.clear();
  }

  async run(): Promise<void> {
    const service = this.#options.service();
    if (service === undefined) return;
    const apl = this.#editor.text;
    if (apl.trim() === '') {
      this.#results.failed(
        new Error('The query is empty. Write one, such as the name of a dataset.'),
      );
      this.#editor.focus();
      return;
    }
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.#cancel.disabled = false;
    this.#editor.mark([]);
    this.#results.running();
    const { startTime, endTime, label } = this.#range.value;
    const { isAllTimes } = this.#range;
    try {
      const answer = await service.query({ apl, startTime, endTime }, running.signal);
      if (this.#running === running) this.#results.shown(answer, label, isAllTimes);
    } catch (error) {
      if (this.#running === running) this.#failed(error, running.signal.aborted);
    } finally {
      if (this.#running === running) this.#ended();
    }
  }

  #failed(error: unknown, isCancelled: boolean): void {
    if (isCancelled) {
      this.#results.cancelled();
      return;
    }
    this.#results.failed(error);
    if (!(error instanceof ServiceError)) return;
    this.#editor.mark(error.problems);
    if (error.isToken) this.#options.tokenRejected(error);
  }

  #ended(): void {
    this.#running = undefined;
    const hadFocus = document.activeElement === this.#cancel;
    this.#cancel.disabled = true;
    // Move the focus to Run, because the disabled Cancel button doesn't receive keys.
    if (hadFocus) this.#run.focus();
  }
}

/** The query editor: a transparent text area in front of a colored copy of its text. */
import { element } from './dom.ts';
import { highlighted, rangeOf } from './highlight.ts';
import type { Place } from './service.ts';

export class Editor {
  readonly element: HTMLElement;
  readonly #area = element('textarea', {
    attributes: {
      id: 'apl',
      rows: '4',
      spellcheck: 'false',
      autocapitalize: 'off',
      autocomplete: 'off',
      'aria-label': 'APL query',
      'aria-keyshortcuts': 'Control+Enter Meta+Enter',
      placeholder: "['my-app'] | limit 100",
    },
  });
  readonly #colors = element('pre', { class: 'colors', attributes: { 'aria-hidden': 'true' } });
  #wrong: readonly Place[] = [];

  constructor(onRun: () => void) {
    this.element = element('div', { class: 'editor' }, [this.#colors, this.#area]);
    // Remove the error marks after an edit, because the marked text may have moved.
    this.#area.addEventListener('input', () => this.mark([]));
    this.#area.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      onRun();
    });
    this.#draw();
  }

  get text(): string {
    return this.#area.value;
  }

  set text(text: string) {
    this.#area.value = text;
    this.mark([]);
  }

  focus(): void {
    this.#area.focus();
  }

  mark(wrong: readonly Place[]): void {
    this.#wrong = wrong;
    if (wrong.length === 0) this.#area.removeAttribute('aria-invalid');
    else this.#area.setAttribute('aria-invalid', 'true');
    this.#draw();
  }

  goTo(place: Place): void {
    const { start, end } = rangeOf(this.text, place);
    this.#area.focus();
    this.#area.setSelectionRange(start, end);
  }

  #draw(): void {
    // Add a line break, because an empty last line would have no height.
    this.#colors.replaceChildren(...highlighted(this.text, this.#wrong), '\n');
  }
}

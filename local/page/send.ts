/** Shows commands and code for sending events, filled in with this deployment's URL and a dataset's name. */
import { copyButton, element, section } from './dom.ts';
import { type Snippet, snippetsFor } from './snippets.ts';

const NAME = 'my-app';

export class Send {
  readonly element: HTMLElement;
  readonly #name = element('input', {
    attributes: {
      id: 'dataset-name',
      value: NAME,
      list: 'dataset-names',
      autocomplete: 'off',
      spellcheck: 'false',
      autocapitalize: 'off',
    },
  });
  readonly #names = element('datalist', { attributes: { id: 'dataset-names' } });
  readonly #snippets = element('div');
  #existing: ReadonlySet<string> = new Set();

  constructor() {
    this.#name.addEventListener('input', () => this.#draw());
    this.element = section('send', 'Send events', [
      element('div', { class: 'line' }, [
        element('label', { text: 'Dataset', attributes: { for: 'dataset-name' } }),
        this.#name,
        this.#names,
      ]),
      element('p', { class: 'hint' }, [
        'The commands read a token from ',
        element('code', { text: 'AXIOM_TOKEN' }),
        '. One that may do everything was printed when the deployment started, and is in the file ',
        element('code', { text: 'token' }),
        ' of its data folder.',
      ]),
      this.#snippets,
    ]);
    this.#draw();
  }

  /** Suggests dataset names. `first` replaces the default name `my-app`. */
  offer(names: readonly string[], first: string | undefined): void {
    this.#existing = new Set(names);
    this.#names.replaceChildren(
      ...names.map((name) => element('option', { attributes: { value: name } })),
    );
    if (first !== undefined && this.#name.value === NAME) this.#name.value = first;
    this.#draw();
  }

  #draw(): void {
    const dataset = this.#name.value.trim() || NAME;
    const isNew = !this.#existing.has(dataset);
    this.#snippets.replaceChildren(
      ...snippetsFor(location.origin, dataset, isNew).map(snippetElement),
    );
  }
}

function snippetElement({ title, text }: Snippet): HTMLElement {
  const attributes = { tabindex: '0', role: 'region', 'aria-label': title };
  return element('div', { class: 'snippet' }, [
    element('div', { class: 'line' }, [
      element('h3', { text: title }),
      copyButton(() => text, `Copy: ${title}`),
    ]),
    element('pre', { text, attributes }),
  ]);
}

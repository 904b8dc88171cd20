/** Where the events go: the deployment, and a dataset that exists or is created. */
import { element } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import type { Screen } from '../host/messages.ts';
import { channel } from './channel.ts';
import { formRow, newId, optionElement, setText } from './controls.ts';

export class TargetForm {
  readonly element: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #list = element('datalist', { attributes: { id: newId() } });
  readonly #about = element('span', {
    class: 'about',
    attributes: { id: newId(), role: 'status' },
  });
  #listed = '';

  constructor() {
    this.#input = element('input', {
      class: 'field dataset',
      attributes: {
        type: 'text',
        list: this.#list.id,
        spellcheck: 'false',
        autocomplete: 'off',
        'aria-describedby': this.#about.id,
      },
    });
    this.#input.addEventListener('input', () =>
      channel.send('setDataset', { dataset: this.#input.value.slice(0, 1_000) }),
    );
    this.element = formRow('Dataset', [this.#input, this.#list, this.#about], this.#input);
  }

  update({ target, deployment, production, phase }: Screen): void {
    setText(this.#input, target.dataset);
    this.#input.disabled = phase === 'running';
    const listed = JSON.stringify(target.datasets);
    if (listed !== this.#listed) {
      this.#listed = listed;
      this.#list.replaceChildren(
        ...target.datasets.map((name) => optionElement({ value: name, label: name })),
      );
    }
    const { problem, about } = target;
    this.#input.setAttribute('aria-invalid', String(problem !== undefined));
    this.#about.className = problem === undefined ? 'about' : 'about problem';
    const place = about === '' ? `On ${deployment}` : `${about} on ${deployment}`;
    this.#about.replaceChildren(
      ...(problem === undefined ? [place] : [problem]),
      ...(production && problem === undefined
        ? [
            element('span', { class: 'production' }, [
              icon('warning'),
              element('span', { text: 'Production' }),
            ]),
          ]
        : []),
    );
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }
}

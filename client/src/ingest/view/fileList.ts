/** The files of the page: which of them are ingested, and which one is shown. */
import { button, element } from '../../webview/page/dom.ts';
import type { FileItem, Screen } from '../host/messages.ts';
import { channel } from './channel.ts';

interface Item {
  readonly element: HTMLElement;
  readonly check: HTMLInputElement;
  readonly show: HTMLButtonElement;
  readonly status: HTMLElement;
}

export class FileList {
  readonly element = element('nav', { class: 'files', attributes: { 'aria-label': 'Files' } });
  readonly #list = element('ul');
  readonly #items = new Map<number, Item>();

  constructor() {
    this.element.append(this.#list);
    this.#list.addEventListener('keydown', (event) => this.#key(event));
  }

  update({ files, shown, phase }: Screen): void {
    this.element.hidden = files.length < 2 || phase !== 'preview';
    for (const file of files) {
      const item = this.#items.get(file.id) ?? this.#add(file);
      item.check.checked = file.included;
      item.check.disabled = file.state === 'problem';
      item.status.textContent = [file.size, file.status].filter(Boolean).join(' · ');
      item.status.className = `status ${file.state}`;
      item.show.setAttribute('aria-current', String(file.id === shown));
      item.show.tabIndex = file.id === shown ? 0 : -1;
      item.element.classList.toggle('excluded', !file.included);
    }
  }

  #add(file: FileItem): Item {
    const link = file.link === undefined ? '' : ` (${file.link})`;
    const check = element('input', {
      attributes: { type: 'checkbox', 'aria-label': `Ingest ${file.name}${link}` },
    });
    check.addEventListener('change', () =>
      channel.send('include', { file: file.id, included: check.checked }),
    );
    const status = element('span', { class: 'status' });
    const show = button(
      {
        class: 'show',
        title: [file.folder, file.name].filter(Boolean).join('/') + link,
        onClick: () => channel.send('show', { file: file.id }),
      },
      [
        element('span', { class: 'name' }, [
          ...(file.folder === undefined
            ? []
            : [element('span', { class: 'folder', text: `${file.folder}/` })]),
          document.createTextNode(file.name),
        ]),
        ...(file.link === undefined ? [] : [element('span', { class: 'link', text: file.link })]),
        status,
      ],
    );
    const item = { element: element('li', {}, [check, show]), check, show, status };
    this.#items.set(file.id, item);
    this.#list.append(item.element);
    return item;
  }

  /** Arrows move between the files. */
  #key(event: KeyboardEvent): void {
    const down = event.key === 'ArrowDown';
    if (!down && event.key !== 'ArrowUp') return;
    const shows = [...this.#items.values()].map(({ show }) => show);
    const at = shows.indexOf(event.target as HTMLButtonElement);
    const next = shows[at + (down ? 1 : -1)];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    next.focus();
    next.click();
  }
}

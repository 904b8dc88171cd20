/** The bar above a dashboard or monitor: name, description, time range and tools. */
import { visibleText } from '../../../../table/src/visibleText.ts';
import { iconButton, textButton } from '../../webview/page/controls.ts';
import { element, setLabel, setLines, setText, setTitle } from '../../webview/page/dom.ts';
import { capitalized } from '../../words/lists.ts';
import type { ResourceView } from '../boardContent.ts';
import { board } from './channel.ts';

export class ResourceBar {
  readonly element: HTMLElement;
  readonly window = textButton('field choice', '', () => board.send('chooseWindow', null));
  readonly refresh = iconButton('Refresh', 'refresh', () => board.send('refresh', null));
  readonly #name = element('span', {
    class: 'board-name cut',
    attributes: { 'aria-hidden': 'true' },
  });
  readonly #about = element('span', { class: 'board-about dim cut' });

  /** `badge` follows the name. `tools` appear between the time range and Refresh. */
  constructor(kind: 'Dashboard' | 'Monitor', tools: readonly Node[], badge?: Node) {
    this.element = element('header', { class: 'board-bar flow rigid' }, [
      element('div', { class: 'board-title flow' }, [this.#name, badge, this.#about]),
      element('div', { class: 'board-tools flow' }, [
        this.window,
        ...tools,
        this.refresh,
        iconButton(`Open ${kind} as JSON`, 'code', () => board.send('openDocument', null)),
      ]),
    ]);
  }

  /** `rangeName` names the time range for assistive technology. */
  update({ name, window }: ResourceView, about: readonly string[], rangeName: string): void {
    const description = about.filter(Boolean).join(' · ');
    // Show the full text in tooltips, because the visible text may be cut off.
    setText(this.#name, name);
    setTitle(this.#name, visibleText(name));
    setLines(this.#about, description);
    setTitle(this.#about, description);
    setText(this.window, capitalized(window));
    setLabel(this.window, `${rangeName}: ${window}`);
  }
}

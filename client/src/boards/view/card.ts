/** A dashboard card: its heading with actions, its state, and its content. */
import { visibleText } from '../../../../table/src/visibleText.ts';
import type { TabId } from '../../answers/tabs.ts';
import type { AnswerFrame } from '../../results/view/answerFrame.ts';
import { iconButton, loadingBar, textButton } from '../../webview/page/controls.ts';
import { element, setLabel, setText, setTitle, textNode } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import type { CardState, CardView, MonitorItem, StatusView } from '../boardContent.ts';
import { cardAnswer } from './cardAnswer.ts';
import { board } from './channel.ts';
import { actionButtons, clock } from './controls.ts';
import { FilterBar } from './filterBar.ts';
import { markdown } from './markdown.ts';

export class CardBox {
  readonly element = element('section', { class: 'card stack' });
  readonly #title = element('h2', { class: 'card-title cut fill' });
  readonly #progress = loadingBar();
  readonly #notice = element('p', { class: 'card-notice rigid dim' });
  readonly #body = element('div', { class: 'card-body stack fill' });
  readonly #filters = new FilterBar();
  #view: CardView;
  #drawn = '';
  #card: CardState | undefined;
  #answer: AnswerFrame | undefined;
  /** Whether the answer changed while the card was out of view. */
  #isStale = false;
  #isInView = false;
  #timeZone: StatusView['timeZone'] = 'utc';

  constructor(view: CardView) {
    this.#view = view;
    this.#progress.hidden = true;
    this.#notice.hidden = true;
    this.update(view);
  }

  get id(): string {
    return this.#view.id;
  }

  update(view: CardView): void {
    this.#view = view;
    const { name, kind, place, type } = view;
    this.element.classList.toggle('bare', kind === 'spacer');
    this.element.dataset.card = view.id;
    const cells = { ...place, x: place.x + 1, y: place.y + 1 };
    for (const [name, value] of Object.entries(cells))
      this.element.style.setProperty(`--${name}`, String(value));
    setLabel(this.element, name || `${type || 'Chart'} without a name`);
    if (kind === 'filters') this.#filters.update(view.filters);
    const drawn = JSON.stringify([name, kind, view.text, view.hasQuery]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    setText(this.#title, name);
    this.#drawFrame();
  }

  set(state: CardState): void {
    this.#card = state;
    this.#drawState();
  }

  setStatus({ timeZone }: StatusView): void {
    if (timeZone !== this.#timeZone) {
      this.#timeZone = timeZone;
      this.#drawState();
    }
    const { updatedAt } = this.#card ?? {};
    const asOf = updatedAt === undefined ? '' : `As of ${clock(updatedAt, timeZone)}`;
    setTitle(this.#title, [visibleText(this.#view.name), asOf].filter(Boolean).join('\n'));
  }

  /** Draws the answer only once the card is visible, because a chart takes as long to draw as the rest of the page. */
  setInView(isInView: boolean): void {
    this.#isInView = isInView;
    if (isInView) this.#drawAnswer();
  }

  /** Redraws the card if it shows the changed tab. A `null` tab means that any answer may have changed. */
  changed(tab: TabId | null): void {
    if (tab !== null && tab !== this.#answer?.tab) return;
    this.#isStale = true;
    if (this.#isInView) this.#drawAnswer();
  }

  marksChanged(): void {
    this.#answer?.marksChanged();
  }

  dispose(): void {
    this.#answer?.dispose();
    this.element.remove();
  }

  #drawFrame(): void {
    const { kind, text, hasQuery } = this.#view;
    if (kind === 'spacer') return this.element.replaceChildren();
    if (kind === 'filters') return this.element.replaceChildren(this.#filters.element);
    if (kind === 'note') {
      const note = markdown(text ?? '', (address) => board.send('openLink', { address }));
      this.#body.replaceChildren(note);
      this.#body.tabIndex = 0;
    } else if (kind === 'unknown') {
      this.#body.replaceChildren(
        element('div', { class: 'card-message stack' }, [
          element('p', { lines: text ?? '' }),
          hasQuery ? textButton('action', 'Open Query', () => this.#openQuery()) : undefined,
        ]),
      );
    }
    const hasBar = this.#title.textContent !== '' || kind !== 'note';
    const actions = element('span', { class: 'card-actions' }, [
      iconButton('Refresh Chart', 'refresh', () => board.send('refreshCard', { card: this.id })),
      iconButton('Open Query', 'code', () => this.#openQuery()),
    ]);
    const bar = element('header', { class: 'card-bar beside rigid' }, [
      this.#title,
      hasQuery ? actions : undefined,
    ]);
    this.element.replaceChildren(
      ...(hasBar ? [bar] : []),
      this.#progress,
      this.#notice,
      this.#body,
    );
  }

  #openQuery(): void {
    board.send('openQuery', { card: this.id });
  }

  #drawState(): void {
    const state = this.#card;
    if (state === undefined) return;
    const { phase, failure, tab, monitors } = state;
    const hasContent = tab !== undefined || monitors !== undefined;
    this.#progress.hidden = phase !== 'loading';
    this.element.classList.toggle('stale', failure !== undefined && hasContent);
    this.element.ariaBusy = String(phase === 'loading' || phase === 'waiting');
    const notice = this.#noticeOf(state, hasContent);
    this.#notice.hidden = notice === undefined;
    if (notice) this.#notice.replaceChildren(...notice);
    if (failure !== undefined && !hasContent) this.#showInstead(this.#failureMessage(failure));
    else if (monitors !== undefined) this.#showInstead(monitorList(monitors));
    else if (!hasContent)
      this.#showInstead(waiting(phase === 'loading' ? 'Loading' : 'Waiting for other charts'));
    else if (this.#isInView) this.#drawAnswer();
  }

  /** Returns how the answer differs from the document, or why the content is stale. */
  #noticeOf({ failure, notices, updatedAt }: CardState, hasContent: boolean): Node[] | undefined {
    if (failure === undefined)
      return notices.length === 0
        ? undefined
        : [icon('info'), element('span', { text: notices.join(' ') })];
    if (!hasContent) return undefined;
    const since = updatedAt === undefined ? '' : ` since ${clock(updatedAt, this.#timeZone)}`;
    const text = textNode(`Not refreshed${since}. ${failure.message} `);
    const buttons = actionButtons(this.id, failure.actions, 'link');
    return [icon('warning'), element('span', {}, [text, ...buttons])];
  }

  #failureMessage({ message, actions }: NonNullable<CardState['failure']>): HTMLElement {
    const buttons = actionButtons(this.id, actions, 'action secondary');
    return element('div', { class: 'card-message failed stack' }, [
      element('p', { lines: message }),
      element('div', { class: 'card-buttons flow' }, buttons),
    ]);
  }

  #showInstead(content: Node): void {
    this.#answer?.dispose();
    this.#answer = undefined;
    this.#body.replaceChildren(content);
  }

  #drawAnswer(): void {
    const tab = this.#card?.tab;
    if (tab === undefined || (this.#answer?.tab === tab && !this.#isStale)) return;
    this.#isStale = false;
    this.#answer ??= cardAnswer();
    if (!this.#answer.content.isConnected) this.#body.replaceChildren(this.#answer.content);
    void this.#answer.draw(tab);
  }
}

function waiting(text: string): HTMLElement {
  return element('p', { class: 'card-waiting dim', text });
}

function monitorList(monitors: readonly MonitorItem[]): HTMLElement {
  if (monitors.length === 0)
    return waiting('There are no monitors, or the token may not read them.');
  const items = monitors.map(({ id, name, note, isEnabled }) => {
    return element('li', { class: isEnabled ? 'on' : 'off' }, [
      icon(isEnabled ? 'bell' : 'bellSlash'),
      element('div', {}, [
        textButton('link', name, () => board.send('openMonitor', { id })),
        element('span', { class: 'dim', text: note }),
      ]),
    ]);
  });
  return element('ul', { class: 'monitor-list' }, items);
}

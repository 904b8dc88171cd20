/**
 * Shows a tab on a page: requests its screen and draws its answer or a message. Used by the results page, notebook
 * outputs, and dashboard and monitor cards.
 */

import type { TabId } from '../../answers/tabs.ts';
import { element } from '../../webview/page/dom.ts';
import type { MenuPlace, PageAction, Screen } from '../pageContent.ts';
import { AnswerView, type AnswerViewParts } from './answerView.ts';
import { channel } from './channel.ts';
import { failedMessage, message } from './emptyStates.ts';
import { cancelledLine, RunningLine } from './statusLine.ts';

interface AnswerFrameParts extends Omit<AnswerViewParts, 'run'> {
  readonly content: HTMLElement;
  /** Draws the content for a removed tab. If absent, the last screen remains. */
  readonly gone?: () => HTMLElement;
  /** Called before other rows or a message replace the content. */
  readonly onReplace?: () => void;
}

export class AnswerFrame {
  readonly above = element('div', { class: 'above rigid' });
  readonly content: HTMLElement;
  readonly #parts: AnswerFrameParts;
  #tab: TabId | null = null;
  #drawn: Promise<void> = Promise.resolve();
  /** The number of the latest request, and of the request whose screen is drawn. */
  #requested = 0;
  #shown = 0;
  #screen: Screen | undefined;
  #answer: AnswerView | undefined;
  /** The line of the visible tab's run, and the tab. */
  #running: { readonly tab: TabId; readonly line: RunningLine } | undefined;

  constructor(parts: AnswerFrameParts) {
    this.#parts = parts;
    this.content = parts.content;
  }

  get tab(): TabId | null {
    return this.#tab;
  }

  get screen(): Screen | undefined {
    return this.#screen;
  }

  get answer(): AnswerView | undefined {
    return this.#answer;
  }

  /** Draws a tab, or the current tab again. Null clears the content. The content element must be in the page. */
  async draw(tab = this.#tab): Promise<void> {
    this.#tab = tab;
    // The content of another tab ignores the pointer until the requested screen arrives.
    this.content.ariaBusy = tab === (this.#screen?.tab ?? null) ? null : 'true';
    this.#requested += 1;
    const request = this.#requested;
    const drawn = this.#request(tab).then((screen) => {
      // Skip outdated screens.
      if (tab !== this.#tab || request < this.#shown) return;
      this.#shown = request;
      this.#draw(screen);
    });
    this.#drawn = drawn;
    await drawn;
  }

  /** Redraws the tab if it changed. Null means that all tabs changed. */
  changed(tab: TabId | null): void {
    if (this.#tab !== null && (tab === null || tab === this.#tab)) void this.draw();
  }

  /** Resolves when the latest requested screen is drawn. */
  async settled(): Promise<void> {
    let drawn: Promise<void> | undefined;
    while (drawn !== this.#drawn) {
      drawn = this.#drawn;
      await drawn.catch(() => undefined);
    }
  }

  act(action: PageAction, place: MenuPlace): void {
    this.#answer?.act(action, place);
  }

  marksChanged(): void {
    this.#answer?.marksChanged();
  }

  /** Focuses the rows or chart, else the first action of a message, else the content itself. */
  focus(): void {
    if (this.#answer) this.#answer.focus();
    else this.content.querySelector<HTMLElement>('.action')?.focus();
    if (document.activeElement === document.body) this.content.focus();
  }

  dispose(): void {
    this.#shown = Number.POSITIVE_INFINITY;
    this.#running?.line.dispose();
    this.#answer?.dispose();
    this.#answer = undefined;
  }

  #request(tab: TabId | null): Promise<Screen | null> {
    if (tab === null) return Promise.resolve(null);
    return channel.request('screen', { tab }).catch(() => null);
  }

  #draw(screen: Screen | null): void {
    this.content.ariaBusy = null;
    // Keep the last screen until another screen arrives or the tab is removed.
    if (screen === null && this.#tab !== null && this.#parts.gone === undefined) return;
    this.#screen = screen ?? undefined;
    if (screen && this.#answer?.shows(screen)) this.#answer.update(screen);
    else {
      this.#parts.onReplace?.();
      this.#replace(screen);
    }
    this.#drawAbove(screen);
    const { content } = this;
    if (document.hasFocus() && document.activeElement === content) this.focus();
    const { running } = screen ?? {};
    const isFormer = running !== undefined && running.arrivedRows === undefined;
    content.classList.toggle('dimmed', isFormer && screen?.content !== undefined);
    this.#dim(isFormer);
  }

  #replace(screen: Screen | null): void {
    this.#answer?.dispose();
    this.#answer = undefined;
    const shown = screen?.content;
    if (shown?.kind === 'result' && shown.tables.length > 0) {
      const answer = new AnswerView({ ...this.#parts, run: this.#run }, screen as Screen, shown);
      // If the focus is on a button of the former answer, move it to the rows or chart.
      const isAbove = this.above.contains(document.activeElement);
      this.#answer = answer;
      this.content.replaceChildren(answer.element);
      this.above.replaceChildren(answer.line);
      answer.start();
      if (isAbove) this.focus();
      return;
    }
    this.content.replaceChildren(this.#message(screen));
  }

  /** Returns the message to show in place of rows. */
  #message(screen: Screen | null): HTMLElement {
    const shown = screen?.content;
    if (shown?.kind === 'failed') return failedMessage(shown, this.#run);
    if (shown?.kind === 'gone')
      return message(shown.title || 'No rows in memory', shown.message, shown.actions, this.#run);
    if (shown === undefined && this.#parts.gone) return this.#parts.gone();
    if (screen === null || shown)
      return message('No results', 'Place the cursor in a query and press Shift+Enter to run it.');
    const { title, cancelled } = screen;
    if (!cancelled) return message('Running', title);
    return message(cancelled.message, title, cancelled.actions, this.#run);
  }

  #drawAbove(screen: Screen | null): void {
    const { above } = this;
    const { tab, running, cancelled, content } = screen ?? {};
    // The Cancel button disappears, so move the focus to the button that runs the query again.
    const focused = cancelled !== undefined && above.contains(document.activeElement);
    if (running === undefined || this.#running?.tab !== tab || !this.#running?.line.isOf(running)) {
      this.#running?.line.dispose();
      this.#running = undefined;
    }
    if (running && tab !== undefined) {
      this.#running ??= {
        tab,
        line: new RunningLine(running, () => channel.send('cancel', { tab })),
      };
      const { line } = this.#running;
      line.update(running);
      if (!above.contains(line.element)) above.replaceChildren(line.element);
    } else if (this.#answer) {
      if (!above.contains(this.#answer.line)) above.replaceChildren(this.#answer.line);
    } else if (content && cancelled) above.replaceChildren(cancelledLine(cancelled, this.#run));
    else above.replaceChildren();
    if (focused) above.querySelector<HTMLElement>('.run-again')?.focus();
  }

  #dim(isDimmed: boolean): void {
    this.#answer?.dim(isDimmed);
    for (const former of this.content.querySelectorAll('.message, .hint')) {
      if (!isDimmed || this.#screen?.content === undefined) former.removeAttribute('aria-disabled');
      else {
        former.role = 'group';
        former.ariaDisabled = 'true';
      }
    }
  }

  readonly #run = (command: string): void => {
    const tab = this.#screen?.tab;
    if (tab !== undefined) channel.send('action', { tab, command });
  };
}

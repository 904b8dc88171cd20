/** A dashboard's page: its bar, and its charts on a grid of 12 columns, or in one column on a narrow page. */
import type { TabId } from '../../answers/tabs.ts';
import { element } from '../../webview/page/dom.ts';
import type { BoardView, CardState, StatusView } from '../boardContent.ts';
import { BoardBar } from './boardBar.ts';
import { CardBox } from './card.ts';
import { board } from './channel.ts';

/** The distance from the visible area within which charts are drawn before they scroll into view. */
const nearPixels = '300px';

export class DashboardPage {
  readonly element = element('div', { class: 'board stack fill' });
  readonly #bar = new BoardBar();
  readonly #grid = element('div', { class: 'board-grid' });
  readonly #scroll = element('div', { class: 'board-scroll fill' }, [this.#grid]);
  readonly #empty = element('p', {
    class: 'board-empty dim',
    text: 'The dashboard has no charts. Run a query, and choose Add to Dashboard… above its result.',
  });
  readonly #cards = new Map<string, CardBox>();
  readonly #inView = new Set<string>();
  readonly #observer: IntersectionObserver;
  #isSending = false;

  constructor() {
    this.element.append(this.#bar.element, this.#scroll);
    this.#observer = new IntersectionObserver((entries) => this.#seen(entries), {
      root: this.#scroll,
      rootMargin: nearPixels,
    });
  }

  update(view: BoardView): void {
    this.#bar.update(view);
    const kept = new Set(view.cards.map(({ id }) => id));
    for (const [id, card] of this.#cards) {
      if (kept.has(id)) continue;
      this.#observer.unobserve(card.element);
      this.#inView.delete(id);
      card.dispose();
      this.#cards.delete(id);
    }
    // Order the elements by position, so that Tab visits the cards in visual order.
    const ordered = view.cards.toSorted((a, b) => a.place.y - b.place.y || a.place.x - b.place.x);
    ordered.forEach((card, index) => {
      const known = this.#cards.get(card.id);
      if (known) known.update(card);
      const box = known ?? new CardBox(card);
      if (this.#grid.children[index] !== box.element)
        this.#grid.insertBefore(box.element, this.#grid.children[index] ?? null);
      if (known) return;
      this.#cards.set(card.id, box);
      this.#observer.observe(box.element);
    });
    if (view.cards.length === 0) this.#scroll.replaceChildren(this.#empty);
    else if (!this.#grid.isConnected) this.#scroll.replaceChildren(this.#grid);
  }

  setCard(state: CardState): void {
    this.#cards.get(state.id)?.set(state);
  }

  setStatus(status: StatusView): void {
    this.#bar.setStatus(status);
    for (const card of this.#cards.values()) card.setStatus(status);
  }

  changed(tab: TabId | null): void {
    for (const card of this.#cards.values()) card.changed(tab);
  }

  marksChanged(): void {
    for (const card of this.#cards.values()) card.marksChanged();
  }

  focus(): void {
    this.#bar.focus();
  }

  dispose(): void {
    this.#observer.disconnect();
    for (const card of this.#cards.values()) card.dispose();
    this.element.remove();
  }

  #seen(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const id = (target as HTMLElement).dataset.card ?? '';
      if (isIntersecting) this.#inView.add(id);
      else this.#inView.delete(id);
      this.#cards.get(id)?.setInView(isIntersecting);
    }
    this.#sendInViewSoon();
  }

  /** Sends the visible cards at most once per frame, so that the host requests their answers first. */
  #sendInViewSoon(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    requestAnimationFrame(() => {
      this.#isSending = false;
      const seen = [...this.#grid.children].flatMap((child) => {
        const id = (child as HTMLElement).dataset.card ?? '';
        return this.#inView.has(id) ? [id] : [];
      });
      board.send('inView', seen);
    });
  }
}

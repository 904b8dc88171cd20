/**
 * Slots that show answers: result tabs, queries in notebook cells, and dashboard cards. This model draws nothing. It
 * reports each change together with the answers that no slot shows anymore.
 */

import { Emitter } from '../host/emitter.ts';
import type { AnswerId } from './protocol.ts';
import { placeAfter, samePlace, type TextChange } from './tabPlace.ts';
import type {
  ResultTab,
  ResultTabState,
  SettledTabState,
  TabId,
  TabQuery,
  TabState,
  TabsChange,
} from './tabs.ts';

export class AnswerSlots {
  readonly #kind: string;
  readonly #changed = new Emitter<TabsChange>();
  readonly onDidChange = this.#changed.event;
  #tabs: readonly ResultTab[] = [];
  #last = 0;

  /** `kind` prefixes the ids, which are unique among slots of the same kind. */
  constructor(kind: string) {
    this.#kind = kind;
  }

  /** The tabs in display order. */
  get tabs(): readonly ResultTab[] {
    return this.#tabs;
  }

  tab(id: TabId | undefined): ResultTab | undefined {
    return this.#tabs.find((tab) => tab.id === id);
  }

  /** Returns the tab that the query's next run would reuse; undefined if the run would open a new tab. */
  tabFor(query: TabQuery): ResultTab | undefined {
    const free = this.#tabs.filter((tab) => !tab.pinned);
    return (
      free.findLast((tab) => samePlace(tab.query.place, query.place)) ??
      free.findLast((tab) => isSameQuery(tab.query, query)) ??
      free.findLast((tab) => isOfRemovedQuery(tab, query.place?.uri))
    );
  }

  /** Shows a result or a failure in a new slot. */
  add(query: TabQuery, state: SettledTabState): TabId {
    const { id } = this.insert({ query, pinned: false, state });
    this.fire({ changed: [id] });
    return id;
  }

  /** Shows a result or a failure in the query's slot, or in a new slot if it has none. */
  show(query: TabQuery, state: SettledTabState): TabId {
    const own = this.tabFor(query);
    if (own === undefined) return this.add(query, state);
    this.replace(own, withTitle({ ...own, query, state }));
    return own.id;
  }

  /** Replaces a tab's answer with a newer answer of the same query. */
  replaceResult(id: TabId, answer: AnswerId): void {
    const tab = this.tab(id);
    if (tab?.state.kind !== 'result') return;
    this.replace(tab, { ...tab, state: { ...tab.state, answer } }, { byItself: true });
  }

  /** Replaces a result's hint, which may become known only after the result is shown. */
  setHint(answer: AnswerId, hint: ResultTabState['hint']): void {
    for (const tab of this.#tabs) {
      const { state } = tab;
      if (state.kind !== 'result' || state.answer !== answer) continue;
      this.replace(tab, { ...tab, state: { kind: 'result', answer, ...(hint && { hint }) } });
    }
  }

  /** Closes a tab. Its run is not cancelled here, because the runner notices that the tab is gone. */
  close(id: TabId): void {
    if (this.tab(id) !== undefined) this.remove([id], {});
  }

  /** Adjusts query positions to an edit, so that the queries are still recognized. */
  edited(uri: string, change: TextChange): void {
    this.#tabs = this.#tabs.map((tab) => {
      const { place } = tab.query;
      if (place?.uri !== uri || place.range === undefined) return tab;
      const range = placeAfter(place.range, change);
      if (range === place.range) return tab;
      return { ...tab, query: { ...tab.query, place: range ? { uri, range } : { uri } } };
    });
  }

  /** Detaches a removed document's queries, because another document may get the same name. */
  documentGone(uri: string): void {
    this.#tabs = this.#tabs.map((tab) => {
      const { place, ...query } = tab.query;
      return place?.uri === uri ? { ...tab, query } : tab;
    });
  }

  /** Adds a slot without reporting it. */
  protected insert(tab: Omit<ResultTab, 'id' | 'title'>, at = this.#tabs.length): ResultTab {
    this.#last += 1;
    const added = withTitle({ ...tab, id: `${this.#kind}-${this.#last}`, title: '' });
    this.#tabs = this.#tabs.toSpliced(at, 0, added);
    return added;
  }

  protected replace(before: ResultTab, tab: ResultTab, change: Partial<TabsChange> = {}): void {
    this.#tabs = this.#tabs.map((other) => (other === before ? tab : other));
    this.fire({ ...change, changed: [tab.id], released: this.#unshown([before]) });
  }

  protected remove(closed: readonly TabId[], change: Partial<TabsChange>): void {
    const gone = this.#tabs.filter(({ id }) => closed.includes(id));
    this.#tabs = this.#tabs.filter((tab) => !gone.includes(tab));
    this.fire({ ...change, closed, released: this.#unshown(gone) });
  }

  protected fire(change: Partial<TabsChange>): void {
    const full = { changed: [], closed: [], activated: false, released: [], ...change };
    this.#changed.fire(full);
  }

  /** Returns the answers that tabs showed before and that no tab shows now. */
  #unshown(before: readonly ResultTab[]): AnswerId[] {
    const answers = (tabs: readonly ResultTab[]) =>
      new Set(tabs.flatMap(({ state }) => [arrivingIn(state) ?? [], answerIn(state) ?? []].flat()));
    const shown = answers(this.#tabs);
    return [...answers(before)].filter((answer) => !shown.has(answer));
  }
}

/** Returns the visible result or failure. During a run or after a cancellation, this is the previous one. */
export function settledIn(state: TabState): SettledTabState | undefined {
  return state.kind === 'running' || state.kind === 'cancelled' ? state.previous : state;
}

/** Returns the visible result, if any. */
export function resultIn(state: TabState): ResultTabState | undefined {
  const settled = settledIn(state);
  return settled?.kind === 'result' ? settled : undefined;
}

export function answerIn(state: TabState): AnswerId | undefined {
  return resultIn(state)?.answer;
}

/** Returns the answer of a run in progress whose first rows have arrived. */
export function arrivingIn(state: TabState): AnswerId | undefined {
  return state.kind === 'running' ? state.arriving : undefined;
}

/** Whether a run of one query reuses the other query's tab. */
export function isOfQuery(one: TabQuery, other: TabQuery): boolean {
  return samePlace(one.place, other.place) || isSameQuery(one, other);
}

/** Whether two queries have the same document and title, although the position of one is unknown. */
function isSameQuery(one: TabQuery, other: TabQuery): boolean {
  if (one.place?.uri !== other.place?.uri || one.title !== other.title) return false;
  // Outside documents, compare the text. In a document, known positions tell queries with the same title apart.
  return one.place === undefined ? one.text === other.text : one.place.range === undefined;
}

/** Whether an unnamed tab's query was removed from its document, for example by an edit that replaced it. */
function isOfRemovedQuery({ name, query }: ResultTab, uri: string | undefined): boolean {
  const { place } = query;
  return name === undefined && place !== undefined && !place.range && place.uri === uri;
}

export function withTitle(tab: ResultTab): ResultTab {
  return { ...tab, title: tab.name ?? tab.query.title };
}

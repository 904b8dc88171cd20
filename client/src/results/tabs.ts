/**
 * The tabs of the results: one for each query that was run, with the state that it is in. A model without
 * a view: the runner starts and settles runs, pages show the tabs, and answers are named by their id.
 */
import type { AnswerId } from './store/protocol.ts';
import { placeAfter, samePlace, type TextChange, type TextRange } from './tabPlace.ts';

export type TabId = string;

/** One run of a query. A tab has at most one at a time. */
export type RunId = number;

export interface TabQuery {
  readonly text: string;
  /** The language server's title: the comment above it, or its dataset and stages. */
  readonly title: string;
  /** Its dataset and stages, each on one line; absent where a comment names it. */
  readonly stages?: readonly string[];
  /** Where it is; absent for a query that is in no document. */
  readonly place?: TabPlace;
  /** Whether it is only a part of the query in the document. */
  readonly isPart?: boolean;
  readonly statesColumnOrder?: boolean;
  /** Whether its result is shown as a chart until a person chooses. */
  readonly chartFirst?: boolean;
  /** The time range that the document states, as it is written there. */
  readonly rangeText?: string;
  /** The name of the deployment that the document states. */
  readonly deployment?: string;
  /** The datasets and views that it names. */
  readonly datasets?: readonly string[];
  /** Values of the parameters that the query declares. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

interface TabPlace {
  /** The document, as a URI. */
  readonly uri: string;
  /** Absent once an edit has removed the query from the document. */
  readonly range?: TextRange;
}

/** A button that follows from a result or a failure. */
export interface TabAction {
  readonly label: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
  /** When the service accepts it, in milliseconds since 1970; the button counts down. */
  readonly readyAt?: number;
}

export interface ResultTabState {
  readonly kind: 'result';
  readonly answer: AnswerId;
  /** A sentence about the result, with what follows from it. */
  readonly hint?: { readonly message: string; readonly actions: readonly TabAction[] };
}

export interface FailedTabState {
  readonly kind: 'failed';
  readonly message: string;
  readonly code?: string;
  readonly traceId?: string;
  readonly actions: readonly TabAction[];
}

/** A run that came to an end with something to show. */
export type SettledTabState = ResultTabState | FailedTabState;

export interface RunningTabState {
  readonly kind: 'running';
  readonly run: RunId;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The name of the deployment that is asked, and the range in words. */
  readonly deployment: string;
  readonly rangeLabel: string;
  /** The rate limit that is waited for before the service is asked again. */
  readonly wait?: { readonly reason: string; readonly until: number } | undefined;
  /** The result that the tab showed before; stays in view, dimmed. */
  readonly previous?: ResultTabState;
}

export interface CancelledTabState {
  readonly kind: 'cancelled';
  /** Milliseconds from the start of the run until it was cancelled. */
  readonly elapsed: number;
  /** The result that the tab showed before; in view again. */
  readonly previous?: ResultTabState;
}

export type TabState = RunningTabState | SettledTabState | CancelledTabState;

export interface ResultTab {
  readonly id: TabId;
  readonly query: TabQuery;
  /** What the tab is called: the name that a person gave it, else the query's title. */
  readonly title: string;
  readonly name?: string;
  /** A pinned tab keeps its result: the next run of its query opens another tab. */
  readonly pinned: boolean;
  readonly state: TabState;
}

/** A change, for listeners that redraw only parts. */
export interface TabsChange {
  /** The tabs that were opened or have another state, name or pin. */
  readonly changed: readonly TabId[];
  readonly closed: readonly TabId[];
  readonly activated: boolean;
  readonly released: readonly AnswerId[];
  /** Whether the change came by itself, so that the view is not brought forward for it. */
  readonly byItself?: boolean;
}

export interface StartOptions {
  readonly startedAt: number;
  readonly deployment: string;
  readonly rangeLabel: string;
  /** False opens another tab even where one has this query. True by default. */
  readonly reuse?: boolean;
  /** False leaves the active tab active. True by default. */
  readonly activate?: boolean;
}

/** A tab as it was, to be opened again after a reload of the window. */
interface RestoredTab {
  readonly query: TabQuery;
  readonly name?: string;
  readonly pinned: boolean;
  readonly state: SettledTabState;
}

const TABS_MAX = 20;

export class ResultTabs {
  readonly #maxTabs: number;
  readonly #kind: string;
  readonly #listeners = new Set<(change: TabsChange) => void>();
  #tabs: ResultTab[] = [];
  #active: TabId | undefined;
  #lastTab = 0;
  #lastRun = 0;

  /** Ids are unique among tabs of the same kind. */
  constructor(maxTabs = TABS_MAX, kind = 'tab') {
    this.#maxTabs = maxTabs;
    this.#kind = kind;
  }

  /** In the order in which they were opened. */
  get tabs(): readonly ResultTab[] {
    return this.#tabs;
  }

  get active(): ResultTab | undefined {
    return this.#active === undefined ? undefined : this.tab(this.#active);
  }

  tab(id: TabId): ResultTab | undefined {
    return this.#tabs.find((tab) => tab.id === id);
  }

  /** The tab in which a run is going on; undefined once the run has ended or another has replaced it. */
  tabOf(run: RunId): ResultTab | undefined {
    return this.#tabs.find(({ state }) => state.kind === 'running' && state.run === run);
  }

  /** The tab that the next run of a query would use; undefined where it would open one. */
  tabFor(query: TabQuery): ResultTab | undefined {
    const free = this.#tabs.filter((tab) => !tab.pinned);
    return (
      free.findLast((tab) => samePlace(tab.query.place, query.place)) ??
      free.findLast((tab) => isSameQuery(tab.query, query)) ??
      free.findLast((tab) => isOfRemovedQuery(tab, query.place?.uri))
    );
  }

  onDidChange(listener: (change: TabsChange) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** A run begins: in the tab of the query unless that is pinned, else in a new one. */
  start(query: TabQuery, options: StartOptions): { readonly tab: TabId; readonly run: RunId } {
    const { startedAt, deployment, rangeLabel } = options;
    const own = options.reuse === false ? undefined : this.tabFor(query);
    const previous = own && resultIn(own.state);
    this.#lastRun += 1;
    const run = this.#lastRun;
    const state: RunningTabState = {
      kind: 'running',
      run,
      startedAt,
      deployment,
      rangeLabel,
      ...(previous && { previous }),
    };
    const tab = own
      ? withTitle({ ...own, query, state })
      : withTitle({ id: this.#newId(), query, pinned: false, state, title: '' });
    if (own) this.#tabs = this.#tabs.map((other) => (other === own ? tab : other));
    else this.#tabs = [...this.#tabs, tab];
    const activated = options.activate !== false || this.#active === undefined;
    const before = this.#active;
    if (activated) this.#active = tab.id;
    this.#closeBeyondBound({ changed: [tab.id], activated: before !== this.#active });
    return { tab: tab.id, run };
  }

  /** A run has ended with something to show. False, and no change, where it is not going on any longer. */
  settle(run: RunId, state: SettledTabState): boolean {
    const tab = this.tabOf(run);
    if (tab === undefined) return false;
    this.#replace(tab, { ...tab, state });
    return true;
  }

  /** A run waits until it asks again, or asks again now. */
  waits(run: RunId, wait: RunningTabState['wait']): void {
    const tab = this.tabOf(run);
    if (tab?.state.kind !== 'running') return;
    const { wait: _, ...state } = tab.state;
    this.#replace(tab, { ...tab, state: wait ? { ...state, wait } : state });
  }

  /** A run was cancelled: what was shown before it is in view again. */
  cancelled(run: RunId, cancelledAt = Date.now()): boolean {
    const tab = this.tabOf(run);
    if (tab?.state.kind !== 'running') return false;
    const previous = resultIn(tab.state);
    const elapsed = Math.max(0, cancelledAt - tab.state.startedAt);
    const state = { kind: 'cancelled', elapsed, ...(previous && { previous }) } as const;
    this.#replace(tab, { ...tab, state });
    return true;
  }

  /** Replaces a result's hint, which may be known only after the result is shown. */
  setHint(answer: AnswerId, hint: ResultTabState['hint']): void {
    for (const tab of this.#tabs) {
      const { state } = tab;
      if (state.kind !== 'result' || state.answer !== answer) continue;
      this.#replace(tab, { ...tab, state: { kind: 'result', answer, ...(hint && { hint }) } });
    }
  }

  /** A newer answer of the same query takes the place of the one that a tab shows. */
  replaceResult(id: TabId, answer: AnswerId): void {
    const tab = this.tab(id);
    if (tab?.state.kind !== 'result') return;
    this.#replace(tab, { ...tab, state: { ...tab.state, answer } }, true);
  }

  /** Opens a result or a failure that comes from no run of this window, and makes it active. */
  open(restored: RestoredTab): TabId {
    return this.#add(restored, this.#tabs.length, true);
  }

  /** Opens a tab of an earlier window ahead of another one, or last; the active tab stays active. */
  restore(restored: RestoredTab, ahead?: TabId): TabId {
    const at = this.#tabs.findIndex(({ id }) => id === ahead);
    return this.#add(restored, at === -1 ? this.#tabs.length : at, this.#active === undefined);
  }

  #add({ query, name, pinned, state }: RestoredTab, at: number, activated: boolean): TabId {
    const id = this.#newId();
    const named = name === undefined ? {} : { name };
    const tab = withTitle({ id, query, ...named, pinned, state, title: '' });
    this.#tabs = this.#tabs.toSpliced(at, 0, tab);
    if (activated) this.#active = id;
    this.#closeBeyondBound({ changed: [id], activated });
    return id;
  }

  activate(id: TabId): void {
    if (this.#active === id || this.tab(id) === undefined) return;
    this.#active = id;
    this.#fire({ activated: true });
  }

  /** Names a tab; an empty name gives it the title of its query again. */
  rename(id: TabId, name: string): void {
    const tab = this.tab(id);
    if (tab === undefined) return;
    const { name: _, ...unnamed } = tab;
    const named = name.trim();
    this.#replace(tab, withTitle(named === '' ? unnamed : { ...unnamed, name: named }));
  }

  pin(id: TabId, pinned: boolean): void {
    const tab = this.tab(id);
    if (tab !== undefined && tab.pinned !== pinned) this.#replace(tab, { ...tab, pinned });
  }

  /** Closes a tab. Its run is not cancelled here: whoever runs it sees that it is gone. */
  close(id: TabId): void {
    if (this.tab(id) !== undefined) this.#close([id], {});
  }

  /** Follows an edit of a document, so that a query is recognized where it has moved. */
  edited(uri: string, change: TextChange): void {
    this.#tabs = this.#tabs.map((tab) => {
      const { place } = tab.query;
      if (place?.uri !== uri || place.range === undefined) return tab;
      const range = placeAfter(place.range, change);
      if (range === place.range) return tab;
      return { ...tab, query: { ...tab.query, place: range ? { uri, range } : { uri } } };
    });
  }

  /** A document is gone, and another one may get its name: its queries are in none. */
  documentGone(uri: string): void {
    this.#tabs = this.#tabs.map((tab) =>
      tab.query.place?.uri === uri ? { ...tab, query: withoutPlace(tab.query) } : tab,
    );
  }

  #newId(): TabId {
    this.#lastTab += 1;
    return `${this.#kind}-${this.#lastTab}`;
  }

  #replace(before: ResultTab, tab: ResultTab, byItself = false): void {
    this.#tabs = this.#tabs.map((other) => (other === before ? tab : other));
    const released = this.#unshown([before]);
    this.#fire({ changed: [tab.id], released, ...(byItself && { byItself }) });
  }

  /** Closes the oldest tabs beyond the bound that are not pinned, not running and not in view. */
  #closeBeyondBound(change: Partial<TabsChange>): void {
    const excess = this.#tabs.length - this.#maxTabs;
    const closable = this.#tabs.filter(
      (tab) => !tab.pinned && tab.state.kind !== 'running' && tab.id !== this.#active,
    );
    const closed = closable.slice(0, Math.max(0, excess)).map(({ id }) => id);
    this.#close(closed, change);
  }

  #close(closed: readonly TabId[], change: Partial<TabsChange>): void {
    const gone = this.#tabs.filter(({ id }) => closed.includes(id));
    const at = this.#tabs.findIndex(({ id }) => id === this.#active);
    this.#tabs = this.#tabs.filter((tab) => !gone.includes(tab));
    let { activated = false } = change;
    if (this.#active !== undefined && closed.includes(this.#active)) {
      // The one that takes its place, or else the last.
      this.#active = (this.#tabs[at] ?? this.#tabs.at(-1))?.id;
      activated = true;
    }
    this.#fire({ ...change, closed, activated, released: this.#unshown(gone) });
  }

  /** The answers of former tabs that no tab shows now. */
  #unshown(before: readonly ResultTab[]): AnswerId[] {
    const shown = new Set(this.#tabs.flatMap((tab) => answersIn(tab.state)));
    const found = before.flatMap((tab) => answersIn(tab.state));
    return [...new Set(found)].filter((answer) => !shown.has(answer));
  }

  #fire(change: Partial<TabsChange>): void {
    const full = { changed: [], closed: [], activated: false, released: [], ...change };
    for (const listener of [...this.#listeners]) listener(full);
  }
}

/** The result or failure that a state has in view: its own, or the one before the run. */
export function settledIn(state: TabState): SettledTabState | undefined {
  return state.kind === 'running' || state.kind === 'cancelled' ? state.previous : state;
}

/** The result that a state has in view. A failure belongs to its run, and goes with the next one. */
function resultIn(state: TabState): ResultTabState | undefined {
  const settled = settledIn(state);
  return settled?.kind === 'result' ? settled : undefined;
}

/** The answer that a tab has in view, if it has one. */
export function answerIn(state: TabState): AnswerId | undefined {
  return answersIn(state)[0];
}

function answersIn(state: TabState): AnswerId[] {
  const settled = settledIn(state);
  return settled?.kind === 'result' ? [settled.answer] : [];
}

/** Whether a run of one query uses the tab of the other. */
export function isOfQuery(one: TabQuery, other: TabQuery): boolean {
  return samePlace(one.place, other.place) || isSameQuery(one, other);
}

/** Whether two queries that are not at one known place are the same one. */
function isSameQuery(one: TabQuery, other: TabQuery): boolean {
  if (one.place?.uri !== other.place?.uri || one.title !== other.title) return false;
  // Of two queries with one title in a document each has its own place.
  return one.place === undefined ? one.text === other.text : one.place.range === undefined;
}

/** Whether the query of a tab without a name is no longer in its document, as after an edit that replaced it. */
function isOfRemovedQuery({ name, query }: ResultTab, uri: string | undefined): boolean {
  const { place } = query;
  return name === undefined && place !== undefined && !place.range && place.uri === uri;
}

function withoutPlace({ place: _, ...query }: TabQuery): TabQuery {
  return query;
}

function withTitle(tab: ResultTab): ResultTab {
  return { ...tab, title: tab.name ?? tab.query.title };
}

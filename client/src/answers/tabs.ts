/**
 * The tabs of the results: one for each query that was run, with the state that it is in. A model without
 * a view: the runner starts and settles runs, pages show the tabs, and answers are named by their id.
 */

import type { AnswerId } from './protocol.ts';
import { AnswerSlots, resultIn, withTitle } from './slots.ts';
import type { TabPlace } from './tabPlace.ts';

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
  /**
   * Whether a newer answer replaced the shown one without a run in the tab. The view is not brought forward for it, and
   * an answer with the same columns is arranged as the former one.
   */
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
interface RestoredTab extends Pick<ResultTab, 'query' | 'name' | 'pinned'> {
  readonly state: SettledTabState;
}

const TABS_MAX = 20;

export class ResultTabs extends AnswerSlots {
  readonly #maxTabs: number;
  #active: TabId | undefined;
  #lastRun = 0;

  constructor(maxTabs = TABS_MAX) {
    super('tab');
    this.#maxTabs = maxTabs;
  }

  get active(): ResultTab | undefined {
    return this.tab(this.#active);
  }

  /** The tab in which a run is going on; undefined once the run has ended or another has replaced it. */
  tabOf(run: RunId): ResultTab | undefined {
    return this.tabs.find(({ state }) => state.kind === 'running' && state.run === run);
  }

  /** A run begins: in the tab of the query unless that is pinned, else in a new one. */
  start(query: TabQuery, options: StartOptions): { readonly tab: TabId; readonly run: RunId } {
    const { reuse = true, activate = true, ...asked } = options;
    const own = reuse ? this.tabFor(query) : undefined;
    const previous = own && resultIn(own.state);
    this.#lastRun += 1;
    const run = this.#lastRun;
    const state: RunningTabState = {
      kind: 'running',
      run,
      ...asked,
      ...(previous && { previous }),
    };
    const tab = own?.id ?? this.insert({ query, pinned: false, state }).id;
    const activated = (activate || this.#active === undefined) && this.#active !== tab;
    if (activated) this.#active = tab;
    if (own) this.replace(own, withTitle({ ...own, query, state }), { activated });
    this.#closeBeyondBound(own ? undefined : { changed: [tab], activated });
    return { tab, run };
  }

  /** A run has ended with something to show. False, and no change, where it is not going on any longer. */
  settle(run: RunId, state: SettledTabState): boolean {
    const tab = this.tabOf(run);
    if (tab === undefined) return false;
    this.replace(tab, { ...tab, state });
    return true;
  }

  /** A run waits until it asks again, or asks again now. */
  waits(run: RunId, wait: RunningTabState['wait']): void {
    const tab = this.tabOf(run);
    if (tab?.state.kind !== 'running') return;
    const { wait: _, ...state } = tab.state;
    this.replace(tab, { ...tab, state: wait ? { ...state, wait } : state });
  }

  /** A run was cancelled: what was shown before it is in view again. */
  cancelled(run: RunId, cancelledAt = Date.now()): boolean {
    const tab = this.tabOf(run);
    if (tab?.state.kind !== 'running') return false;
    const previous = resultIn(tab.state);
    const elapsed = Math.max(0, cancelledAt - tab.state.startedAt);
    const state = { kind: 'cancelled', elapsed, ...(previous && { previous }) } as const;
    this.replace(tab, { ...tab, state });
    return true;
  }

  /** Opens a result or a failure that comes from no run of this window, and makes it active. */
  open(restored: RestoredTab): TabId {
    return this.#open(restored, this.tabs.length, true);
  }

  /** Opens a tab of an earlier window ahead of another one, or last; the active tab stays active. */
  restore(restored: RestoredTab, ahead?: TabId): TabId {
    const at = this.tabs.findIndex(({ id }) => id === ahead);
    return this.#open(restored, at === -1 ? this.tabs.length : at, this.#active === undefined);
  }

  #open(restored: RestoredTab, at: number, activated: boolean): TabId {
    const { id } = this.insert(restored, at);
    if (activated) this.#active = id;
    this.#closeBeyondBound({ changed: [id], activated });
    return id;
  }

  activate(id: TabId): void {
    if (this.#active === id || this.tab(id) === undefined) return;
    this.#active = id;
    this.fire({ activated: true });
  }

  /** Names a tab; an empty name gives it the title of its query again. */
  rename(id: TabId, name: string): void {
    const tab = this.tab(id);
    if (tab === undefined) return;
    const { name: _, ...unnamed } = tab;
    const named = name.trim();
    this.replace(tab, withTitle(named === '' ? unnamed : { ...unnamed, name: named }));
  }

  pin(id: TabId, pinned: boolean): void {
    const tab = this.tab(id);
    if (tab !== undefined && tab.pinned !== pinned) this.replace(tab, { ...tab, pinned });
  }

  /** Closes the oldest tabs beyond the bound that are not pinned, not running and not in view. */
  #closeBeyondBound(change?: Partial<TabsChange>): void {
    const excess = Math.max(0, this.tabs.length - this.#maxTabs);
    const closable = this.tabs.filter(
      (tab) => !tab.pinned && tab.state.kind !== 'running' && tab.id !== this.#active,
    );
    const closed = closable.slice(0, excess).map(({ id }) => id);
    if (change || closed.length > 0) this.remove(closed, change ?? {});
  }

  protected override remove(closed: readonly TabId[], change: Partial<TabsChange>): void {
    if (this.#active === undefined || !closed.includes(this.#active))
      return super.remove(closed, change);
    const at = this.tabs.findIndex(({ id }) => id === this.#active);
    const stays = this.tabs.filter(({ id }) => !closed.includes(id));
    // The one that takes its place, or else the last.
    this.#active = (stays[at] ?? stays.at(-1))?.id;
    super.remove(closed, { ...change, activated: true });
  }
}

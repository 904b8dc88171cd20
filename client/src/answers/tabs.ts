/**
 * The result tabs: one per query that was run, with its state. This model draws nothing. The runner starts and settles
 * runs, pages show the tabs, and answers are referenced by id.
 */

import type { AnswerId } from './protocol.ts';
import { AnswerSlots, resultIn, withTitle } from './slots.ts';
import type { TabPlace } from './tabPlace.ts';

export type TabId = string;

/** Identifies one run of a query. A tab has at most one run at a time. */
export type RunId = number;

export interface TabQuery {
  readonly text: string;
  /** The language server's title: the comment above the query, or its dataset and stages. */
  readonly title: string;
  /** The query's dataset and stages, each on one line. Absent if a comment provides the title. */
  readonly stages?: readonly string[];
  /** The query's position. Absent for queries outside documents. */
  readonly place?: TabPlace;
  /** Whether only part of the document's query was run. */
  readonly isPart?: boolean;
  readonly statesColumnOrder?: boolean;
  /** Whether the result opens as a chart until the user chooses a view. */
  readonly chartFirst?: boolean;
  /** The time range written in the document, verbatim. */
  readonly rangeText?: string;
  /** The deployment name written in the document. */
  readonly deployment?: string;
  /** The names of the datasets and views that the query uses. */
  readonly datasets?: readonly string[];
  /** The values of the query's declared parameters, by name. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

export interface TabAction {
  readonly label: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
  /** The time from which the service accepts the action, in milliseconds since 1970. The button counts down to it. */
  readonly readyAt?: number;
}

export interface ResultTabState {
  readonly kind: 'result';
  readonly answer: AnswerId;
  /** A sentence about the result, with suggested actions. */
  readonly hint?: { readonly message: string; readonly actions: readonly TabAction[] };
}

export interface FailedTabState {
  readonly kind: 'failed';
  readonly message: string;
  readonly code?: string;
  readonly traceId?: string;
  readonly actions: readonly TabAction[];
}

export type SettledTabState = ResultTabState | FailedTabState;

export interface RunningTabState {
  readonly kind: 'running';
  readonly run: RunId;
  /** The start in milliseconds since 1970. */
  readonly startedAt: number;
  /** The deployment's name, and the time range in words. */
  readonly deployment: string;
  readonly rangeLabel: string;
  /** The rate limit that delays the next request, if any, and when it ends. */
  readonly wait?: { readonly reason: string; readonly until: number } | undefined;
  /** The previous result, shown dimmed until the run's own rows arrive. */
  readonly previous?: ResultTabState;
  /** The run's answer, once its first rows can be shown while the rest arrives. */
  readonly arriving?: AnswerId;
}

export interface CancelledTabState {
  readonly kind: 'cancelled';
  /** Milliseconds from the start of the run to its cancellation. */
  readonly elapsed: number;
  /** The previous result, shown again. */
  readonly previous?: ResultTabState;
}

export type TabState = RunningTabState | SettledTabState | CancelledTabState;

export interface ResultTab {
  readonly id: TabId;
  readonly query: TabQuery;
  /** The name given by the user, or else the query's title. */
  readonly title: string;
  readonly name?: string;
  /** Whether the tab keeps its result, so that the query's next run opens another tab. */
  readonly pinned: boolean;
  readonly state: TabState;
}

export interface TabsChange {
  /** The tabs that were opened, or whose state, name or pin changed. */
  readonly changed: readonly TabId[];
  readonly closed: readonly TabId[];
  readonly activated: boolean;
  readonly released: readonly AnswerId[];
  /**
   * Whether a newer answer replaced the shown one without a run in the tab. Such a change doesn't reveal the view, and
   * keeps the arrangement if the columns are the same.
   */
  readonly byItself?: boolean;
}

export interface StartOptions {
  readonly startedAt: number;
  readonly deployment: string;
  readonly rangeLabel: string;
  /** Whether to reuse a tab that shows this query. True by default. */
  readonly reuse?: boolean;
  /** Whether to activate the tab. True by default. */
  readonly activate?: boolean;
}

/** A tab whose content was not produced by a run in this window, such as a tab from before a reload. */
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

  /** Returns the tab of a run in progress; undefined if the run has ended or was replaced. */
  tabOf(run: RunId): ResultTab | undefined {
    return this.tabs.find(({ state }) => state.kind === 'running' && state.run === run);
  }

  /** Starts a run in the query's unpinned tab, or in a new tab if there is none. */
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

  /** Shows a run's first rows while the rest arrives. */
  arriving(run: RunId, answer: AnswerId): void {
    const tab = this.tabOf(run);
    if (tab?.state.kind !== 'running') return;
    this.replace(tab, { ...tab, state: { ...tab.state, arriving: answer } });
  }

  /** Ends a run with a result or a failure. Returns false without a change if the run is not in progress. */
  settle(run: RunId, state: SettledTabState): boolean {
    const tab = this.tabOf(run);
    if (tab === undefined) return false;
    this.replace(tab, { ...tab, state });
    return true;
  }

  /** Sets the wait before a run's next request, or clears it. */
  waits(run: RunId, wait: RunningTabState['wait']): void {
    const tab = this.tabOf(run);
    if (tab?.state.kind !== 'running') return;
    const { wait: _, ...state } = tab.state;
    this.replace(tab, { ...tab, state: wait ? { ...state, wait } : state });
  }

  /** Marks a run as cancelled and shows the previous result again. */
  cancelled(run: RunId, cancelledAt = Date.now()): boolean {
    const tab = this.tabOf(run);
    if (tab?.state.kind !== 'running') return false;
    const previous = resultIn(tab.state);
    const elapsed = Math.max(0, cancelledAt - tab.state.startedAt);
    const state = { kind: 'cancelled', elapsed, ...(previous && { previous }) } as const;
    this.replace(tab, { ...tab, state });
    return true;
  }

  /** Opens a result or a failure that no run of this window produced, and activates its tab. */
  open(restored: RestoredTab): TabId {
    return this.#open(restored, this.tabs.length, true);
  }

  /** Reopens an earlier window's tab, ahead of another tab or last. The active tab remains active. */
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

  /** Renames a tab. An empty name restores the title of its query. */
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

  /** Closes the oldest tabs beyond the limit, except for pinned, running and active ones. */
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
    // Activate the tab that moves to its position, or else the last tab.
    this.#active = (stays[at] ?? stays.at(-1))?.id;
    super.remove(closed, { ...change, activated: true });
  }
}

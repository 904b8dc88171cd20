/**
 * The host's side of the results page: shows the tabs and the answer of the active one, hands windows of
 * rows on, and keeps how a person has arranged an answer, so that the page can be thrown away while it is
 * not seen. Free of vscode; what reaches beyond the page is done by `Effects`.
 */
import { nextPage } from '../query/nextPage.ts';
import {
  HostChannel,
  type Pipe,
  RequestFailed,
  type RequestHandlers,
} from '../webview/hostChannel.ts';
import type { Arrangements } from './arrangements.ts';
import { type CellDocument, cellDocument } from './cellDocument.ts';
import { cellText } from './cells.ts';
import { type Arrangement, type ResultsContract, resultsContract } from './contract.ts';
import { rowDetail, valueAt } from './detailTree.ts';
import { type FilterCondition, filterCondition } from './filterCondition.ts';
import type { MenuPlace, PageAction, Screen, ValuePath, ViewTable } from './messages.ts';
import { limitedByDefault } from './notices.ts';
import {
  failedContent,
  goneContent,
  resultContent,
  runAgain,
  tabStrip,
  viewHint,
  viewRunning,
  viewTable,
} from './screen.ts';
import type { AnswerTable } from './store/answer.ts';
import type { HeldAnswer, StoreEvent } from './store/heldAnswer.ts';
import type { AnswerId, Arranged, ExactCell, Params, Result } from './store/protocol.ts';
import type { RowMethod } from './store/resultsStore.ts';
import type { AnswerViewState, TableViewState, ValueKey } from './store/viewState.ts';
import { type ResultTab, type ResultTabs, settledIn, type TabAction, type TabId } from './tabs.ts';
import { parseTime } from './timeText.ts';
import { visibleText } from './visibleText.ts';
import { webAddress } from './webAddress.ts';

/** What the page needs of the results store. */
export interface HeldAnswers {
  get(id: AnswerId): HeldAnswer | undefined;
  rows<Name extends RowMethod>(
    method: Name,
    params: Params<Name>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result<Name>>;
  /** The answer is in view. */
  shown(id: AnswerId): void;
  /** Brings the rows of an answer back from disk. */
  restore(id: AnswerId): Promise<HeldAnswer>;
  /** Forgets an answer that no tab shows any longer. */
  drop(id: AnswerId): Promise<void>;
  setViewState(id: AnswerId, viewState: AnswerViewState): void;
  onDidChange(listener: (event: StoreEvent) => void): { dispose(): void };
}

/** What a page may cause beyond itself. */
export interface Effects {
  copy(text: string): Promise<void>;
  openDocument(document: CellDocument, place: string): Promise<void>;
  /** Only ever called with an http or https address of a value that a person has clicked. */
  openLink(address: string): void;
  runAction(action: TabAction): void;
  cancel(tab: ResultTab): void;
  /** Writes a condition into the query of a tab, for the person to see and undo. */
  addFilter(tab: ResultTab, condition: FilterCondition): Promise<void>;
  /** A column, or a member below its value, as a query names it. */
  pathText(column: string, path: ValuePath): Promise<string>;
  setTimeZone(timeZone: 'utc' | 'local'): void;
  /** Appends the next rows of an answer; rejects with a `RequestFailed` where the service has none to give. */
  loadMore?: (answer: HeldAnswer, signal: AbortSignal) => Promise<void>;
  /** The page has the keyboard, or has it no longer. */
  focused(isFocused: boolean): void;
  inform(message: string): void;
  warn(message: string): void;
}

export interface ResultsHostParts {
  readonly answers: HeldAnswers;
  readonly tabs: ResultTabs;
  readonly arrangements: Arrangements;
  readonly effects: Effects;
  readonly timeZone: () => 'utc' | 'local';
  readonly onProblem: (problem: string) => void;
}

/** Characters put on the clipboard at once; more would freeze what they are pasted into. */
const maxCopied = 64_000_000;
const maxExact = 10_000;
/** Rows that a column's first width is taken from. */
const sampledRows = 50;
const maxValues = 300;

interface TableParams {
  readonly answer: AnswerId;
  readonly table: number;
}

interface CellParams extends TableParams {
  readonly row: number;
  readonly column: number;
}

export class ResultsHost {
  readonly #parts: ResultsHostParts;
  readonly #channels = new Set<HostChannel<ResultsContract>>();
  readonly #subscriptions: { dispose(): void }[];
  /** What the worker has arranged, by answer and table. */
  readonly #arranged = new Map<string, Arranged>();
  readonly #characters = new Map<string, readonly number[]>();
  /** Answers whose last page had no rows, whatever the counts of the service say. */
  readonly #exhausted = new Set<AnswerId>();
  #drawing = 0;

  constructor(parts: ResultsHostParts) {
    this.#parts = parts;
    const { tabs, answers } = parts;
    this.#subscriptions = [
      tabs.onDidChange(({ changed, activated, released }) => {
        for (const id of released) {
          this.#forget(id);
          // Its rows may have gone with the worker.
          answers.drop(id).catch(() => undefined);
        }
        this.#sendTabs();
        if (activated || changed.includes(tabs.active?.id ?? '')) void this.#sendScreen();
      }),
      answers.onDidChange((event) => this.#storeChanged(event)),
    ];
  }

  /** Answers a page until it is disposed of. */
  attach(pipe: Pipe): { dispose(): void } {
    const channel: HostChannel<ResultsContract> = new HostChannel({
      contract: resultsContract,
      pipe,
      requests: this.#requests,
      events: {
        ...this.#events,
        ready: () => {
          this.#sendTabs();
          return this.#sendScreen();
        },
      },
      onFailure: ({ message }) => this.#parts.effects.inform(message),
      onProblem: this.#parts.onProblem,
    });
    this.#channels.add(channel);
    return {
      dispose: () => {
        this.#channels.delete(channel);
        channel.dispose();
        this.#parts.effects.focused(false);
      },
    };
  }

  /** Has the page do what a command means, at the place where its menu was opened. */
  act(action: PageAction, place: MenuPlace): void {
    const { tabs } = this.#parts;
    const tab = place.tab ?? tabs.active?.id;
    if (tab === undefined) return;
    if (action === 'pinTab') tabs.pin(tab, true);
    else if (action === 'unpinTab') tabs.pin(tab, false);
    else if (action === 'closeTab') tabs.close(tab);
    else if (action === 'closeOtherTabs') {
      for (const other of [...tabs.tabs])
        if (other.id !== tab && !other.pinned) tabs.close(other.id);
    } else for (const channel of this.#channels) channel.send('action', { action, place });
  }

  /** Draws again, since a setting has changed. */
  refresh(): void {
    this.#characters.clear();
    void this.#sendScreen();
  }

  dispose(): void {
    for (const { dispose } of this.#subscriptions) dispose();
    for (const channel of this.#channels) channel.dispose();
    this.#channels.clear();
  }

  readonly #requests: RequestHandlers<ResultsContract> = {
    window: async ({ answer, table, from, to, columns, search }, signal) => {
      const place = { answer, table };
      const span = { from, to: Math.min(to, from + 1_000) };
      const drawing = { columns, timeZone: this.#parts.timeZone() };
      const [window, found] = await Promise.all([
        this.#call('window', { ...place, ...span, ...drawing }, signal),
        search ? this.#call('foundIn', { ...place, ...span, columns }, signal) : [],
      ]);
      return { ...window, found };
    },
    arrange: async ({ answer, table, order, filters }, signal) => {
      const arranged = await this.#call('arrange', { answer, table, order, filters }, signal);
      this.#arranged.set(tableKey(answer, table), arranged);
      this.#updateView(answer, table, (view) => ({ ...view, order, filters }));
      return arranged;
    },
    find: (params, signal) =>
      this.#call('find', { ...params, timeZone: this.#parts.timeZone() }, signal),
    findNext: (params, signal) => this.#call('findNext', params, signal),
    summary: async (params, signal) => {
      const summary = await this.#call('summary', params, signal);
      return { ...summary, top: summary.top.map(visibleValue) };
    },
    values: async ({ answer, table, column, search }, signal) => {
      const params = { answer, table, column, search, limit: maxValues };
      const found = await this.#call('values', params, signal);
      return { ...found, values: found.values.map(visibleValue) };
    },
    figures: (params, signal) => this.#call('figures', params, signal),
    detail: async ({ answer, table, row, nested }, signal) => {
      const { held, fields } = this.#table(answer, table);
      const exact = await this.#call('row', { answer, table, row }, signal);
      const { columnOrder, hidden } = this.#viewOf(held).tables[table] as TableViewState;
      const columns = columnOrder.filter((column) => !hidden.includes(column));
      return rowDetail(fields, [...columns, ...hidden], exact, nested);
    },
    exact: async (params, signal) => {
      const { value, text } = await this.#call('cell', params, signal);
      return value === null ? null : text.slice(0, maxExact);
    },
    valueKey: async (params, signal) => {
      const { value, text } = await this.#call('cell', params, signal);
      return valueKey(value, text);
    },
    copy: async ({ answer, table, blocks, format, headers }, signal) => {
      const options = { header: headers };
      const params = { answer, table, blocks, format, options, maxCharacters: maxCopied };
      const { text, rows, truncated } = await this.#call('copy', params, signal);
      await this.#parts.effects.copy(text);
      if (truncated)
        this.#parts.effects.warn(
          `Only the first ${rows.toLocaleString('en-US')} rows were copied: the selection is too large for the clipboard. Export the results to get all rows.`,
        );
      return { rows, truncated };
    },
    parseTime: ({ text }) => {
      const time = parseTime(text, this.#parts.timeZone());
      if (time !== undefined) return time;
      throw new RequestFailed('invalid', 'Enter a time such as 2026-01-31 or 2026-01-31 08:30:00.');
    },
    loadMore: async ({ answer, table }, signal) => {
      const { held, table: before } = this.#table(answer, table);
      const { loadMore } = this.#parts.effects;
      if (loadMore === undefined || !this.#hasMore(held)) throw noMoreRows();
      await loadMore(held, signal);
      const { rowCount } = this.#table(answer, table).table;
      if (rowCount === before.rowCount) {
        this.#exhausted.add(answer);
        void this.#sendScreen();
        throw noMoreRows();
      }
      return { rows: rowCount };
    },
  };

  readonly #events = {
    focused: (isFocused: boolean) => this.#parts.effects.focused(isFocused),
    arranged: ({ answer, table, arrangement }: TableParams & { arrangement: Arrangement }) =>
      this.#keepArrangement(answer, table, arrangement),
    openTable: ({ answer, table }: TableParams) => {
      const held = this.#parts.answers.get(answer);
      if (held === undefined || table >= held.head.tables.length) return;
      this.#parts.answers.setViewState(answer, { ...this.#viewOf(held), table });
    },
    activateTab: ({ tab }: { tab: TabId }) => this.#parts.tabs.activate(tab),
    closeTab: ({ tab }: { tab: TabId }) => this.#parts.tabs.close(tab),
    pinTab: ({ tab, pinned }: { tab: TabId; pinned: boolean }) => this.#parts.tabs.pin(tab, pinned),
    renameTab: ({ tab, name }: { tab: TabId; name: string }) => this.#parts.tabs.rename(tab, name),
    cancel: ({ tab }: { tab: TabId }) => {
      const found = this.#parts.tabs.tab(tab);
      if (found?.state.kind === 'running') this.#parts.effects.cancel(found);
    },
    action: ({ tab, command }: { tab: TabId; command: string }) => {
      const found = this.#parts.tabs.tab(tab);
      const action = found && this.#actionsOf(found).find((offered) => offered.command === command);
      if (action) this.#parts.effects.runAction(action);
    },
    openValue: async (params: CellParams) => {
      const { cell, name } = await this.#cell(params);
      if (cell.value === null) return this.#parts.effects.inform('The value is null.');
      const { answer, table, column, row } = params;
      const { order = [], filters = [] } = this.#viewOf(this.#table(answer, table).held).tables[
        table
      ] as TableViewState;
      const place = new URLSearchParams({
        answer,
        table: `${table}`,
        column: `${column}`,
        arranged: JSON.stringify([order, filters]),
      });
      await this.#parts.effects.openDocument(cellDocument(name, row, cell.value), `${place}`);
    },
    openLink: async ({ path, ...params }: CellParams & { path: ValuePath }) => {
      const { cell } = await this.#cell(params);
      const address = webAddress(this.#textAt(cell, path) ?? '');
      if (address !== undefined) this.#parts.effects.openLink(address);
    },
    copyValue: async ({
      path,
      what,
      ...params
    }: CellParams & { path: ValuePath; what: string }) => {
      const { effects } = this.#parts;
      const { cell, name } = await this.#cell(params);
      const text = what === 'path' ? effects.pathText(name, path) : this.#textAt(cell, path);
      await effects.copy((await text) ?? '');
    },
    filterQuery: async ({
      path,
      exclude,
      ...params
    }: CellParams & { path: ValuePath; exclude: boolean }) => {
      const { cell, name, type } = await this.#cell(params);
      const tab = this.#tabOf(params.answer);
      const value = path.length === 0 ? cell.value : valueAt(cell.value, path);
      const text = this.#textAt(cell, path);
      const condition = filterCondition({ name, type, path, value, text: text ?? '', exclude });
      if (condition === undefined)
        return this.#parts.effects.warn(
          'A filter compares single values. Choose a member of the object or array instead.',
        );
      if (tab) await this.#parts.effects.addFilter(tab, condition);
    },
    setTimeZone: ({ timeZone }: { timeZone: 'utc' | 'local' }) =>
      this.#parts.effects.setTimeZone(timeZone),
  };

  #textAt(cell: ExactCell, path: ValuePath): string | undefined {
    if (path.length === 0) return cell.text;
    const value = valueAt(cell.value, path);
    return value === undefined ? undefined : cellText(value as never);
  }

  async #cell({ answer, table, row, column }: CellParams) {
    const field = this.#table(answer, table).fields[column];
    if (field === undefined) throw new RequestFailed('gone', 'The column is not in the result.');
    const cell = await this.#call('cell', { answer, table, row, column });
    return { cell, name: field.name, type: field.type };
  }

  #table(answer: AnswerId, index: number) {
    const held = this.#parts.answers.get(answer);
    const table = held?.head.tables[index];
    if (held === undefined || table === undefined)
      throw new RequestFailed('gone', 'The result is gone. Run the query again.');
    return { held, table, fields: table.fields };
  }

  /** Calls the worker; what it refuses is said to the person. */
  async #call<Name extends RowMethod>(
    method: Name,
    params: Params<Name>,
    signal?: AbortSignal,
  ): Promise<Result<Name>> {
    try {
      return await this.#parts.answers.rows(method, params, signal ? { signal } : {});
    } catch (error) {
      const { code, message } = error as { code?: unknown; message?: unknown };
      if (typeof code === 'string' && typeof message === 'string' && code !== 'internal')
        throw new RequestFailed(code, message);
      throw error;
    }
  }

  #actionsOf(tab: ResultTab): readonly TabAction[] {
    const settled = settledIn(tab.state);
    if (settled === undefined) return [];
    if (settled.kind === 'failed') return settled.actions;
    const ready = this.#parts.answers.get(settled.answer)?.state === 'ready';
    return ready ? (settled.hint?.actions ?? []) : [runAgain(tab)];
  }

  #tabOf(answer: AnswerId): ResultTab | undefined {
    return this.#parts.tabs.tabs.find(({ state }) => {
      const settled = settledIn(state);
      return settled?.kind === 'result' && settled.answer === answer;
    });
  }

  /** The view state of an answer, complete for all of its tables. */
  #viewOf(held: HeldAnswer): AnswerViewState {
    const { viewState, head, about } = held;
    if (viewState.tables.length === head.tables.length) return viewState;
    const tables = head.tables.map(
      (table, index) => viewState.tables[index] ?? this.#parts.arrangements.initial(about, table),
    );
    const complete = { table: viewState.table, tables };
    this.#parts.answers.setViewState(held.id, complete);
    return complete;
  }

  #updateView(
    answer: AnswerId,
    table: number,
    change: (view: TableViewState) => TableViewState,
  ): void {
    const { held } = this.#table(answer, table);
    const view = this.#viewOf(held);
    const tables = view.tables.with(table, change(view.tables[table] as TableViewState));
    this.#parts.answers.setViewState(answer, { ...view, tables });
  }

  #keepArrangement(answer: AnswerId, index: number, arrangement: Arrangement): void {
    // The page may report what it had arranged after the answer has been released.
    if (this.#parts.answers.get(answer) === undefined) return;
    const { held, table } = this.#table(answer, index);
    const count = table.fields.length;
    const { columnOrder, hidden, pinned } = arrangement;
    const known = [...columnOrder, ...hidden, ...pinned].every((column) => column < count);
    if (!known || new Set(columnOrder).size !== count)
      throw new Error('The arrangement does not have the columns of the table.');
    const before = this.#viewOf(held).tables[index] as TableViewState;
    const { order, filters } = before;
    const after: TableViewState = { ...arrangement, order, filters };
    this.#updateView(answer, index, () => after);
    this.#parts.arrangements.keep(held.about, table, before, after);
  }

  #storeChanged(event: StoreEvent): void {
    if (event.type === 'crashed') {
      this.#arranged.clear();
      this.#characters.clear();
      return;
    }
    if (event.type === 'removed') return this.#forget(event.id);
    const { active } = this.#parts.tabs;
    const settled = active && settledIn(active.state);
    if (settled?.kind !== 'result' || settled.answer !== event.answer.id) return;
    // What this side has changed itself, the page has shown already.
    const { state, head } = event.answer;
    const shown = `${state} ${head.tables.map(({ rowCount }) => rowCount)} ${active?.title}`;
    if (shown === this.#shown) return;
    for (const index of head.tables.keys()) {
      this.#arranged.delete(tableKey(event.answer.id, index));
      this.#characters.delete(tableKey(event.answer.id, index));
    }
    void this.#sendScreen();
  }

  #shown = '';

  #forget(answer: AnswerId): void {
    this.#exhausted.delete(answer);
    for (const key of [...this.#arranged.keys(), ...this.#characters.keys()]) {
      if (!key.startsWith(`${answer} `)) continue;
      this.#arranged.delete(key);
      this.#characters.delete(key);
    }
  }

  #sendTabs(): void {
    const strip = tabStrip(this.#parts.tabs);
    for (const channel of this.#channels) channel.send('tabs', strip);
  }

  async #sendScreen(): Promise<void> {
    if (this.#channels.size === 0) return;
    this.#drawing += 1;
    const drawing = this.#drawing;
    const screen = await this.#screen();
    // A newer screen is on its way.
    if (drawing !== this.#drawing) return;
    for (const channel of this.#channels) channel.send('screen', screen);
  }

  async #screen(): Promise<Screen> {
    const tab = this.#parts.tabs.active;
    const zones = { timeZone: this.#parts.timeZone(), localZone: localZone() };
    if (tab === undefined) return { tab: null, title: '', cancelled: false, ...zones };
    const { state } = tab;
    const content = await this.#content(tab).catch((error: unknown) => {
      // Another run may have replaced the answer in the meantime; its screen follows.
      if (!(error instanceof RequestFailed))
        this.#parts.onProblem(`The result could not be shown: ${error}`);
      return goneContent(tab, 'lost');
    });
    return {
      tab: tab.id,
      title: visibleText(tab.title),
      cancelled: state.kind === 'cancelled',
      ...(state.kind === 'running' && { running: viewRunning(state) }),
      ...(content && { content }),
      ...zones,
    };
  }

  async #content(tab: ResultTab): Promise<Screen['content']> {
    const settled = settledIn(tab.state);
    if (settled === undefined) return undefined;
    if (settled.kind === 'failed') return failedContent(tab, settled);
    const held = this.#parts.answers.get(settled.answer);
    if (held === undefined) return goneContent(tab, 'evicted');
    if (held.state !== 'ready') {
      if (held.kept === undefined) return goneContent(tab, held.state);
      // Another screen follows when the rows are back.
      await this.#parts.answers.restore(held.id);
      return this.#content(tab);
    }
    this.#parts.answers.shown(held.id);
    const view = this.#viewOf(held);
    const tables = await Promise.all(
      held.head.tables.map((table, index) => this.#viewTable(held, table, index, view)),
    );
    this.#shown = `${held.state} ${held.head.tables.map(({ rowCount }) => rowCount)} ${tab.title}`;
    const hint = settled.hint && viewHint(settled.hint);
    return resultContent(tab, held, hint, tables, view, this.#hasMore(held));
  }

  async #viewTable(
    { id, head }: HeldAnswer,
    table: AnswerTable,
    index: number,
    view: AnswerViewState,
  ): Promise<ViewTable> {
    const place = { answer: id, table: index };
    const key = tableKey(id, index);
    const timeZone = this.#parts.timeZone();
    const arranged = await this.#arrangedTable(place, table, view.tables[index] as TableViewState);
    let characters = this.#characters.get(key);
    if (characters === undefined) {
      const columns = [...(head.tables[index]?.fields.keys() ?? [])];
      characters = await this.#call('characters', {
        ...place,
        columns,
        rows: sampledRows,
        timeZone,
      });
      this.#characters.set(key, characters);
    }
    return viewTable(table, index, { arranged, characters }, { timeZone, localZone: localZone() });
  }

  /** Has the worker order and filter a table as its view state says, unless it has done so. */
  async #arrangedTable(
    place: TableParams,
    { rowCount }: AnswerTable,
    { order, filters }: TableViewState,
  ): Promise<Arranged> {
    const key = tableKey(place.answer, place.table);
    const known = this.#arranged.get(key);
    if (known !== undefined) return known;
    const all = { rowCount, totalRows: rowCount };
    const arranged =
      order.length === 0 && filters.length === 0
        ? all
        : await this.#call('arrange', { ...place, order, filters });
    this.#arranged.set(key, arranged);
    return arranged;
  }

  #hasMore(held: HeldAnswer): boolean {
    const { id, head } = held;
    if (this.#parts.effects.loadMore === undefined || head.aggregated) return false;
    // A limit that the query states is what the person asked for.
    if (!limitedByDefault(head) || this.#exhausted.has(id) || nextPage(held) === undefined)
      return false;
    return (head.status.rowsMatched ?? 0) > (head.tables[0]?.rowCount ?? 0);
  }
}

function noMoreRows(): RequestFailed {
  return new RequestFailed('invalid', 'There are no more rows to load.');
}

function valueKey(value: unknown, text: string): ValueKey {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return { kind: 'boolean', text };
  if (typeof value === 'object') return { kind: 'json', text };
  return { kind: typeof value === 'string' ? 'text' : 'number', text };
}

function tableKey(answer: AnswerId, table: number): string {
  return `${answer} ${table}`;
}

function visibleValue<T extends { readonly text: string | null }>(value: T): T {
  return { ...value, text: value.text === null ? null : visibleText(value.text) };
}

/** The time zone of this machine, such as `Europe/Lisbon`. */
function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

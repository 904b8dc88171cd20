/** Finds the tables of answers that tabs show, calls the worker for them, and stores their arrangement. */

import type { AnswerTable } from '../../../../table/src/answer.ts';
import { cellText } from '../../../../table/src/cells.ts';
import type {
  AnswerViewState,
  TableViewState,
  ValuePath,
} from '../../../../table/src/viewState.ts';
import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type {
  AnswerId,
  Arranged,
  DrawnSize,
  ExactCell,
  Params,
  Result,
} from '../../answers/protocol.ts';
import type { RowMethod } from '../../answers/resultsStore.ts';
import { answerIn, arrivingIn, resultIn, settledIn } from '../../answers/slots.ts';
import type { ResultTab, TabAction, TabsChange } from '../../answers/tabs.ts';
import { nextPage } from '../../query/nextPage.ts';
import { RequestFailed } from '../../webview/hostChannel.ts';
import { limitedByDefault } from '../answerNotices.ts';
import { withCarried } from '../carriedRows.ts';
import { valueAt } from '../detailTree.ts';
import { AllRows } from './allRows.ts';
import type { AnswersHostParts } from './parts.ts';
import { ViewStates } from './viewStates.ts';

/** The number of rows over which a column's initial width is measured. */
const sampledRows = 50;

export interface TableParams {
  readonly answer: AnswerId;
  readonly table: number;
}

export interface CellParams extends TableParams {
  readonly row: number;
  readonly column: number;
}

export class HeldTables {
  readonly #parts: AnswersHostParts;
  /** The worker's latest arrangement of each table, by answer and table. */
  readonly #arranged = new Map<string, Arranged>();
  readonly #sizes = new Map<string, readonly DrawnSize[]>();
  /** Answers whose last page had no rows, even if the service's counts promise more rows. */
  readonly exhausted = new Set<AnswerId>();

  readonly allRows: AllRows;

  readonly #views: ViewStates;

  constructor(parts: AnswersHostParts) {
    this.#parts = parts;
    this.#views = new ViewStates(parts);
    this.allRows = new AllRows({
      get: (answer) => parts.store.get(answer),
      hasMore: (held) => this.hasMore(held),
      loadPage: async (held, signal) => {
        await this.loadPage(held, signal).catch((error: unknown) => {
          // Ignore the error if there are no more rows after all, contrary to the service's counts.
          if (!this.exhausted.has(held.id)) throw error;
        });
      },
      onPage: (answer) => this.rowsChanged(answer),
    });
  }

  /** Forgets released answers and closed tabs, and applies an answer's arrangement to its tab's next answer. */
  tabsChanged({ changed, closed, released, byItself = false }: TabsChange): void {
    const { store, tabs } = this.#parts;
    const [tab] = changed;
    this.#views.forget(closed);
    for (const id of released) {
      const former = store.get(id);
      // Unless a tab was closed, the answer was released because its tab changed state.
      if (former && tab !== undefined && closed.length === 0)
        this.#views.carry(tab, former, byItself);
      this.forget(id);
      // Ignore failures, because the worker may have lost the rows.
      store.drop(id).catch(() => undefined);
    }
    for (const id of changed) {
      const state = tabs.tab(id)?.state;
      // Arrange the first rows as the previous result, which is released only after the run.
      const previous = state && arrivingIn(state) && resultIn(state);
      const before = previous && store.get(previous.answer);
      if (before) this.#views.carry(id, before, false);
      const held = state?.kind === 'result' ? store.get(state.answer) : undefined;
      // Apply the former order and filters now, because answers out of view can be exported too.
      if (held && this.#views.isCarried(id)) this.viewOf(held);
    }
  }

  async cell({ answer, table, row, column }: CellParams) {
    const field = this.table(answer, table).fields[column];
    if (field === undefined) throw new RequestFailed('gone', 'The column is not in the result.');
    const cell = await this.call('cell', { answer, table, row, column });
    return { cell, name: field.name, type: field.type };
  }

  table(answer: AnswerId, index: number) {
    const held = this.#parts.store.get(answer);
    const table = held?.head.tables[index];
    if (held === undefined || table === undefined)
      throw new RequestFailed('gone', 'The result is no longer available. Run the query again.');
    return { held, table, fields: table.fields };
  }

  /** Calls the worker. If the worker rejects a request, the error's message is for the user. */
  async call<Name extends RowMethod>(
    method: Name,
    params: Params<Name>,
    signal?: AbortSignal,
  ): Promise<Result<Name>> {
    try {
      return await this.#parts.store.rows(method, params, signal ? { signal } : {});
    } catch (error) {
      const { code, message } = error as { code?: unknown; message?: unknown };
      if (typeof code === 'string' && typeof message === 'string' && code !== 'internal')
        throw new RequestFailed(code, message);
      throw error;
    }
  }

  actionsOf(tab: ResultTab): readonly TabAction[] {
    const settled = settledIn(tab.state);
    const again = this.#parts.runAgain(tab);
    const ofRun = tab.state.kind === 'cancelled' ? [again] : [];
    if (settled === undefined) return ofRun;
    if (settled.kind === 'failed') return settled.actions;
    const ready = this.#parts.store.get(settled.answer)?.state === 'ready';
    return ready ? [...ofRun, ...(settled.hint?.actions ?? [])] : [again];
  }

  tabOf(answer: AnswerId): ResultTab | undefined {
    return this.#parts.tabs.tabs.find(
      ({ state }) => arrivingIn(state) === answer || answerIn(state) === answer,
    );
  }

  viewOf(held: HeldAnswer): AnswerViewState {
    return this.#views.of(held, this.tabOf(held.id));
  }

  updateView(
    answer: AnswerId,
    table: number,
    change: (view: TableViewState) => TableViewState,
  ): void {
    const { held } = this.table(answer, table);
    const view = this.viewOf(held);
    const tables = view.tables.with(table, change(view.tables[table] as TableViewState));
    this.#parts.store.setViewState(answer, { ...view, tables });
  }

  keepView(answer: AnswerId, view: AnswerViewState): void {
    const held = this.#parts.store.get(answer);
    // Stop here: the page may report an arrangement after the answer was released.
    if (held === undefined) return;
    const isLoading = this.allRows.isLoading(answer);
    const grows = ({ removedRows }: AnswerTable) => removedRows !== undefined || isLoading;
    this.#views.keep(held, this.viewOf(held), view, grows);
  }

  /** Arranges a table in the worker according to its view state, unless it is already arranged so. */
  async arranged(
    place: TableParams,
    { rowCount }: AnswerTable,
    { order, filters }: TableViewState,
  ): Promise<Arranged> {
    const key = tableKey(place);
    const known = this.#arranged.get(key);
    if (known !== undefined) return known;
    const arranged =
      order.length === 0 && filters.length === 0
        ? { rowCount, totalRows: rowCount }
        : await this.#arrange(place, order, filters);
    this.#arranged.set(key, arranged);
    return arranged;
  }

  /** Arranges a table. Removes and reports filters that fail on its rows, such as a slow regular expression. */
  async #arrange(
    place: TableParams,
    order: TableViewState['order'],
    filters: TableViewState['filters'],
  ): Promise<Arranged> {
    const arrange = (tried: TableViewState['filters']) =>
      this.call('arrange', { ...place, order, filters: tried });
    try {
      return await arrange(filters);
    } catch (error) {
      if (!isInvalid(error)) throw error;
    }
    let arranged = await arrange([]);
    let working: TableViewState['filters'] = [];
    for (const filter of filters) {
      try {
        const tried = [...working, filter];
        arranged = await arrange(tried);
        working = tried;
      } catch (error) {
        if (!isInvalid(error)) throw error;
        const name = this.table(place.answer, place.table).fields[filter.column]?.name ?? '';
        this.#parts.effects.warn(`The filter on '${name}' was removed. ${error.message}`);
      }
    }
    this.updateView(place.answer, place.table, (view) => ({ ...view, filters: working }));
    return arranged;
  }

  /** Applies the filters of the table with the same name in another answer, such as the answer it is compared with. */
  async filterAs(place: TableParams, like: AnswerId): Promise<void> {
    const { held, table } = this.table(place.answer, place.table);
    const view = this.viewOf(held).tables[place.table] as TableViewState;
    const { filters } = withCarried(view, table, this.table(like, place.table).held);
    if (JSON.stringify(filters) === JSON.stringify(view.filters)) return;
    this.setArranged(place, await this.call('arrange', { ...place, order: [], filters }));
    this.updateView(place.answer, place.table, (former) => ({ ...former, order: [], filters }));
  }

  /** Returns the formatted size of each column's first cells. */
  async sizes(place: TableParams, { fields }: AnswerTable): Promise<readonly DrawnSize[]> {
    const key = tableKey(place);
    const known = this.#sizes.get(key);
    if (known !== undefined) return known;
    const columns = [...fields.keys()];
    const timeZone = this.#parts.timeZone();
    const params = { ...place, columns, rows: sampledRows, timeZone };
    const sizes = await this.call('sizes', params);
    this.#sizes.set(key, sizes);
    return sizes;
  }

  hasMore(held: HeldAnswer): boolean {
    const { id, head } = held;
    if (this.#parts.effects.loadMore === undefined || head.aggregated) return false;
    if (held.state === 'arriving') return false;
    // Do not load beyond an explicit limit in the query, because the user asked for it.
    if (!limitedByDefault(head) || this.exhausted.has(id) || nextPage(held) === undefined)
      return false;
    return (head.status.rowsMatched ?? 0) > (head.tables[0]?.rowCount ?? 0);
  }

  /** Appends a page of rows. Fails with a message for the user, including when there are no more. */
  async loadPage(held: HeldAnswer, signal: AbortSignal): Promise<void> {
    const { loadMore } = this.#parts.effects;
    if (loadMore === undefined) throw noMoreRows();
    await loadMore(held, signal);
    const rows = this.#parts.store.get(held.id)?.head.tables[0]?.rowCount;
    if (rows !== held.head.tables[0]?.rowCount) return;
    this.exhausted.add(held.id);
    throw noMoreRows();
  }

  forget(answer: AnswerId): void {
    this.allRows.forget(answer);
    this.exhausted.delete(answer);
    this.rowsChanged(answer);
  }

  setArranged(place: TableParams, arranged: Arranged): void {
    this.#arranged.set(tableKey(place), arranged);
  }

  /** Drops cached arrangements and sizes after an answer's rows changed. */
  rowsChanged(answer: AnswerId): void {
    for (const known of [this.#arranged, this.#sizes])
      for (const key of [...known.keys()]) if (key.startsWith(`${answer} `)) known.delete(key);
  }

  /** Drops cached sizes after the cell format changed. */
  drawnOtherwise(): void {
    this.#sizes.clear();
  }

  /** Drops cached arrangements and sizes after the worker ended. */
  clear(): void {
    this.#arranged.clear();
    this.#sizes.clear();
  }
}

export function noMoreRows(): RequestFailed {
  return new RequestFailed('invalid', 'There are no more rows to load.');
}

function isInvalid(error: unknown): error is RequestFailed {
  return error instanceof RequestFailed && error.code === 'invalid';
}

/** Returns the text of a cell or of a member of its value; undefined if the member doesn't exist. */
export function textAt(cell: ExactCell, path: ValuePath): string | undefined {
  if (path.length === 0) return cell.text;
  const value = valueAt(cell.value, path);
  return value === undefined ? undefined : cellText(value as never);
}

function tableKey({ answer, table }: TableParams): string {
  return `${answer} ${table}`;
}

/**
 * The columns at a point of a pipeline, and the row that names are looked up in while it is bound. A
 * stage that changes a few of many columns costs as much as it changes, however long the pipeline is:
 * the list of a stage is worked out when somebody asks for it.
 */
import { none } from '../append.ts';
import { NameIndex } from '../catalog/closest.ts';
import type { Column, Columns } from './bound.ts';

/** Changes columns by name in place; a Map keeps their order. */
type Change = (columns: Map<string, Column>) => Map<string, Column>;

const noNames: ReadonlySet<string> = new Set();
const noChanges: ReadonlyMap<string, Column | null> = new Map();

export class ColumnList implements Columns {
  readonly open: boolean;
  /**
   * The columns whose names are guessed, where that is the only reason for others: a name that is nearly
   * that of one of the rest is then a slip after all.
   */
  readonly guessed: ReadonlySet<string> | undefined;
  /** Names that the service may have a column of though no list of fields has them. */
  readonly unlisted: ReadonlySet<string>;
  #list: readonly Column[] | undefined;
  #byName: ReadonlyMap<string, Column> | undefined;
  #base: ColumnList | undefined;
  /** A list is of columns that are put at the end: the change of most stages, kept without a function. */
  #change: Change | readonly Column[] | undefined;

  private constructor(
    open: boolean,
    guessed: ReadonlySet<string> | undefined,
    unlisted: ReadonlySet<string> = noNames,
  ) {
    this.open = open;
    this.guessed = guessed;
    this.unlisted = unlisted;
  }

  static of(list: readonly Column[], open: boolean, guessed?: ReadonlySet<string>): ColumnList {
    const columns = new ColumnList(open, guessed);
    columns.#list = list;
    return columns;
  }

  /** All the columns there are, though the names of some are guessed. */
  static guessing(list: readonly Column[], guessed: ReadonlySet<string>): ColumnList {
    const open = guessed.size > 0;
    return ColumnList.of(list, open, open ? guessed : undefined);
  }

  /** The same columns in the form that a pipeline goes on from. */
  static from(columns: Columns): ColumnList {
    return columns instanceof ColumnList ? columns : ColumnList.of(columns.list, columns.open);
  }

  /** These columns after `change`, which is applied when the list is asked for. */
  changed(change: Change | readonly Column[]): ColumnList {
    return this.#changedTo(change, this.open, this.guessed, this.unlisted);
  }

  #changedTo(
    change: Change | readonly Column[],
    open: boolean,
    guessed: ReadonlySet<string> | undefined,
    unlisted: ReadonlySet<string>,
  ): ColumnList {
    const columns = new ColumnList(open, guessed, unlisted);
    columns.#base = this;
    columns.#change = change;
    return columns;
  }

  /** The same columns, of which there may be more. */
  opened(): ColumnList {
    if (this.open && this.guessed === undefined) return this;
    return this.#changedTo(none, true, undefined, this.unlisted);
  }

  /** The same columns, beside which there may be those of `names`. */
  withUnlisted(names: readonly string[]): ColumnList {
    const unlisted = new Set([...this.unlisted, ...names]);
    return this.#changedTo(none, this.open, this.guessed, unlisted);
  }

  get list(): readonly Column[] {
    this.#list ??= this.#appended() ?? [...this.byName.values()];
    return this.#list;
  }

  /** Where stages have only put columns with new names after a list: that list and those. */
  #appended(): readonly Column[] | undefined {
    const added: (readonly Column[])[] = [];
    let from: ColumnList = this;
    while (from.#list === undefined) {
      if (from.#base === undefined || typeof from.#change === 'function') return undefined;
      added.push(from.#change ?? none);
      from = from.#base;
    }
    const columns = added.toReversed().flat();
    const names = new Set(columns.map(({ name }) => name));
    const isNew =
      names.size === columns.length && !columns.some(({ name }) => from.byName.has(name));
    return isNew ? from.#list.concat(columns) : undefined;
  }

  get byName(): ReadonlyMap<string, Column> {
    if (this.#byName === undefined) {
      const changes: (Change | readonly Column[])[] = [];
      let from: ColumnList = this;
      while (from.#base !== undefined && from.#byName === undefined && from.#list === undefined) {
        changes.push(from.#change ?? none);
        from = from.#base;
      }
      let columns = new Map<string, Column>();
      if (from.#byName !== undefined) columns = new Map(from.#byName);
      else for (const column of from.#list ?? []) columns.set(column.name, column);
      for (let i = changes.length - 1; i >= 0; i--) {
        const change = changes[i] ?? none;
        if (typeof change === 'function') columns = change(columns);
        else putBehind(columns, change);
      }
      this.#byName = columns;
      this.#base = undefined;
      this.#change = undefined;
    }
    return this.#byName;
  }
}

const indexes = new WeakMap<ColumnList, NameIndex>();

/** The names of the columns, made once for those of a dataset. */
function indexOf(columns: ColumnList): NameIndex {
  let index = indexes.get(columns);
  if (index === undefined) {
    index = new NameIndex(columns.byName.keys());
    indexes.set(columns, index);
  }
  return index;
}

/** Puts columns at the end; one of a name that is there already moves there. */
function putBehind(columns: Map<string, Column>, added: readonly Column[]): void {
  for (const column of added) {
    columns.delete(column.name);
    columns.set(column.name, column);
  }
}

export const noColumns = ColumnList.of([], false);
export const anyColumns = ColumnList.of([], true);

/** The column under a name that is free where its own is taken. */
export function renumbered(column: Column, name: string): Column {
  if (name === column.name) return column;
  if (column.definition !== undefined) return { ...column, name };
  return { ...column, name, field: column.field ?? column.name };
}

/** What an earlier stage of the pipeline left out. */
interface Dropped {
  readonly operator: string;
  readonly had: (name: string) => boolean;
  readonly before: Dropped | undefined;
}

/** How many stages back a missing column is looked for. */
const memory = 50;

/** The columns of the stage being bound, by name. */
export class Row {
  columns: ColumnList;
  // What a row may hold is made when it is first needed: most pipelines of a text need little of it.
  #base: ColumnList;
  /** Changes over `#base`; null stands for a column that was removed. */
  #own: Map<string, Column | null> | undefined;
  /** Columns that belong into `#own` and are put there when a name is next looked for, if one is. */
  #latest: readonly Column[] = none;
  #making: Set<string> | undefined;
  #dropped: Dropped | undefined;
  /** The number that was last put after a name, so that a thousand joins of one table stay cheap. */
  #numbers: Map<string, number> | undefined;

  constructor(columns: ColumnList) {
    this.columns = columns;
    this.#base = columns;
  }

  /** Remembers a name that an item of the stage being bound makes; it is a column only behind the stage. */
  make(name: string): void {
    this.#making ??= new Set();
    this.#making.add(name);
  }

  isMaking(name: string): boolean {
    return this.#making?.has(name) === true;
  }

  endStage(): void {
    this.#making = undefined;
  }

  get open(): boolean {
    return this.columns.open;
  }

  find(name: string): Column | undefined {
    const own = this.#changes.get(name);
    return own === undefined ? this.#base.byName.get(name) : (own ?? undefined);
  }

  *names(): Iterable<string> {
    const own = this.#changes;
    for (const [name, column] of own) if (column !== null) yield name;
    for (const name of this.#base.byName.keys()) if (!own.has(name)) yield name;
  }

  /** All names that a misspelt one may stand for, and others. */
  *namesNear(name: string): Iterable<string> {
    const own = this.#changes;
    for (const [other, column] of own) if (column !== null) yield other;
    for (const other of indexOf(this.#base).near(name)) if (!own.has(other)) yield other;
  }

  /** The operator of an earlier stage that took the column `name` away, when one did. */
  droppedBy(name: string): string | undefined {
    let dropped = this.#dropped;
    for (let i = 0; i < memory && dropped !== undefined; i++, dropped = dropped.before) {
      if (dropped.had(name)) return dropped.operator;
    }
    return undefined;
  }

  /** `name`, or `name` with the first number that no column has; `taken` holds names about to be added. */
  freeName(name: string, taken: ReadonlySet<string>): string {
    if (this.find(name) === undefined && !taken.has(name)) return name;
    for (let number = (this.#numbers?.get(name) ?? 0) + 1; ; number++) {
      const numbered = `${name}${number}`;
      if (this.find(numbered) !== undefined || taken.has(numbered)) continue;
      this.#numbers ??= new Map();
      this.#numbers.set(name, number);
      return numbered;
    }
  }

  /** Adds columns at the end; one of a name that is there already moves to the end, as in `extend`. */
  extend(added: readonly Column[]): void {
    if (added.length === 0) return;
    this.#put(added);
    this.columns = this.columns.changed(added);
  }

  /** Changes columns where they stand; those that are not there are added at the end. */
  change(changed: readonly Column[]): void {
    this.#put(changed);
    this.columns = this.columns.changed((columns) => {
      for (const column of changed) columns.set(column.name, column);
      return columns;
    });
  }

  /** Takes columns away. */
  remove(names: readonly string[], operator: string): void {
    const removed = new Set(names);
    this.#takeAway(removed);
    this.#drop(operator, (name) => removed.has(name));
    this.columns = this.columns.changed((columns) => {
      for (const name of removed) columns.delete(name);
      return columns;
    });
  }

  /** Gives columns other names, where they stand. */
  rename(renamed: ReadonlyMap<string, Column>, operator: string): void {
    this.#takeAway(renamed.keys());
    this.#put([...renamed.values()]);
    this.#drop(operator, (name) => renamed.has(name));
    this.columns = this.columns.changed((columns) => {
      const result = new Map<string, Column>();
      for (const [name, column] of columns) {
        const other = renamed.get(name);
        if (other !== undefined) result.set(other.name, other);
        else if (!result.has(name)) result.set(name, column);
      }
      return result;
    });
  }

  /** Puts the named columns first, in that order; the set of columns stays the same. */
  reorder(order: (columns: Map<string, Column>) => Map<string, Column>): void {
    this.columns = this.columns.changed(order);
  }

  /** There may be columns beside the known ones from here on. */
  openUp(): void {
    this.columns = this.columns.opened();
  }

  /** Starts over with other columns, as `project` and `summarize` do. */
  replace(columns: ColumnList, operator: string): void {
    const base = this.#base;
    const own = this.#changes;
    this.#drop(operator, (name) => {
      const column = own.get(name);
      return column === undefined ? base.byName.has(name) : column !== null;
    });
    this.columns = columns;
    this.#base = columns;
    this.#own = undefined;
    this.#latest = none;
  }

  get #changes(): ReadonlyMap<string, Column | null> {
    this.#settle();
    return this.#own ?? noChanges;
  }

  #settle(): void {
    for (const column of this.#latest) this.#set(column.name, column);
    this.#latest = none;
  }

  #put(columns: readonly Column[]): void {
    this.#settle();
    this.#latest = columns;
  }

  #takeAway(names: Iterable<string>): void {
    this.#settle();
    for (const name of names) this.#set(name, null);
  }

  #set(name: string, column: Column | null): void {
    this.#own ??= new Map();
    this.#own.set(name, column);
  }

  #drop(operator: string, had: (name: string) => boolean): void {
    this.#dropped = { operator, had, before: this.#dropped };
    this.#numbers = undefined;
  }
}

/**
 * The columns at a point in a pipeline (`ColumnList`), and their lookup by name (`Row`). Column lists are computed on
 * first access, so the cost of binding a stage doesn't depend on the pipeline's length.
 */
import { none } from '../append.ts';
import { NameIndex } from '../catalog/closest.ts';
import { oncePer } from '../maps.ts';
import type { Column, Columns } from './bound.ts';

/** Changes the columns, a Map by name in column order. Returns the same Map or a new one. */
type Change = (columns: Map<string, Column>) => Map<string, Column>;

const noNames: ReadonlySet<string> = new Set();
const noChanges: ReadonlyMap<string, Column | null> = new Map();

export class ColumnList implements Columns {
  readonly open: boolean;
  /** The guessed column names. Present only if guessed names are the only reason that the list is open. */
  readonly guessed: ReadonlySet<string> | undefined;
  /** Names that queries may use as columns although no field list includes them, such as `dataset` after `union *`. */
  readonly unlisted: ReadonlySet<string>;
  #list: readonly Column[] | undefined;
  #byName: ReadonlyMap<string, Column> | undefined;
  #base: ColumnList | undefined;
  /** The change to `#base`. An array contains columns to append, which saves a closure in the common case. */
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

  /** Returns a list that is open if any name is guessed, because the real name may be different. */
  static guessing(list: readonly Column[], guessed: ReadonlySet<string>): ColumnList {
    const open = guessed.size > 0;
    return ColumnList.of(list, open, open ? guessed : undefined);
  }

  static from(columns: Columns): ColumnList {
    return columns instanceof ColumnList ? columns : ColumnList.of(columns.list, columns.open);
  }

  /** Returns a list with the columns changed by `change`, which is applied when the columns are first accessed. */
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

  opened(): ColumnList {
    if (this.open && this.guessed === undefined) return this;
    return this.#changedTo(none, true, undefined, this.unlisted);
  }

  withUnlisted(names: readonly string[]): ColumnList {
    const unlisted = new Set([...this.unlisted, ...names]);
    return this.#changedTo(none, this.open, this.guessed, unlisted);
  }

  get list(): readonly Column[] {
    this.#list ??= this.#appended() ?? [...this.byName.values()];
    return this.#list;
  }

  /** Returns the columns without building a Map, or undefined if a change does more than append new names. */
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

const indexOf = oncePer((columns: ColumnList) => new NameIndex(columns.byName.keys()));

/** Appends columns. An existing column with the same name moves to the end. */
function putBehind(columns: Map<string, Column>, added: readonly Column[]): void {
  for (const column of added) {
    columns.delete(column.name);
    columns.set(column.name, column);
  }
}

export const noColumns = ColumnList.of([], false);
export const anyColumns = ColumnList.of([], true);

/** Returns a copy of the column, renamed to `name`. A stored field keeps its original name in `field`. */
export function renumbered(column: Column, name: string): Column {
  if (name === column.name) return column;
  if (column.definition !== undefined) return { ...column, name };
  return { ...column, name, field: column.field ?? column.name };
}

/** The columns that one stage removed. `before` links to the previous stage that removed columns. */
interface Dropped {
  readonly operator: string;
  readonly had: (name: string) => boolean;
  readonly before: Dropped | undefined;
}

/** The maximum number of earlier stages to search for a removed column. */
const memory = 50;

/** The columns of the stage being bound, indexed by name. */
export class Row {
  columns: ColumnList;
  // Most members are created on first use, because few pipelines need them.
  #base: ColumnList;
  /** The changes to `#base` by column name. null marks a removed column. */
  #own: Map<string, Column | null> | undefined;
  /** Columns that the next name lookup adds to `#own`. */
  #latest: readonly Column[] = none;
  #making: Set<string> | undefined;
  #dropped: Dropped | undefined;
  /** The last number appended to each name, so that the search for a free number doesn't restart at 1. */
  #numbers: Map<string, number> | undefined;

  constructor(columns: ColumnList) {
    this.columns = columns;
    this.#base = columns;
  }

  /** Records a name that the current stage defines. Using it in the same stage is an error. */
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

  *namesNear(name: string): Iterable<string> {
    const own = this.#changes;
    for (const [other, column] of own) if (column !== null) yield other;
    for (const other of indexOf(this.#base).near(name)) if (!own.has(other)) yield other;
  }

  droppedBy(name: string): string | undefined {
    let dropped = this.#dropped;
    for (let i = 0; i < memory && dropped !== undefined; i++, dropped = dropped.before) {
      if (dropped.had(name)) return dropped.operator;
    }
    return undefined;
  }

  /** Returns a name that is neither a column nor in `taken`: `name`, or `name` with a number appended. */
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

  /** Appends columns. An existing column with the same name moves to the end, as in `extend`. */
  extend(added: readonly Column[]): void {
    if (added.length === 0) return;
    this.#put(added);
    this.columns = this.columns.changed(added);
  }

  /** Replaces columns of the same names in place. Appends columns whose names are new. */
  change(changed: readonly Column[]): void {
    this.#put(changed);
    this.columns = this.columns.changed((columns) => {
      for (const column of changed) columns.set(column.name, column);
      return columns;
    });
  }

  /** Removes columns. If a later stage uses a removed column, the report names `operator`. */
  remove(names: readonly string[], operator: string): void {
    const removed = new Set(names);
    this.#takeAway(removed);
    this.#drop(operator, (name) => removed.has(name));
    this.columns = this.columns.changed((columns) => {
      for (const name of removed) columns.delete(name);
      return columns;
    });
  }

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

  reorder(order: (columns: Map<string, Column>) => Map<string, Column>): void {
    this.columns = this.columns.changed(order);
  }

  openUp(): void {
    this.columns = this.columns.opened();
  }

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

/**
 * A relation in a pipeline, with its visible columns and the order of its rows. Hidden columns stay in the relation,
 * because the rows may be sorted by them.
 */
import type { BoundOperator, BoundStage } from '../../../language/src/index.ts';
import type { DatasetLayout, StoredType } from '../store/layout.ts';
import type { PlannedAggregate } from './plan.ts';
import type { Item, OrderKey, Relation } from './relation.ts';
import type { Sql } from './sql.ts';
import * as print from './sql.ts';
import { type Constant, unite, type Value, type ValueType, value } from './values.ts';

export interface TableColumn {
  readonly name: string;
  readonly type: ValueType;
  /** The column's ID in the relation. Empty for a column with several types, whose variants have IDs. */
  readonly id: string;
  readonly shape?: 'array' | 'map';
  /** Present if the query set the column to a constant. */
  readonly known?: Constant;
  readonly variants?: readonly {
    readonly type: ValueType;
    readonly id: string;
    readonly stored: StoredType;
  }[];
  readonly agg?: PlannedAggregate;
}

export interface Table {
  readonly relation: Relation;
  readonly columns: readonly TableColumn[];
  /** The IDs in the relation, in lowercase. */
  readonly taken: ReadonlySet<string>;
  /** `implied` means that the query doesn't sort the rows explicitly. */
  readonly order: readonly OrderKey[];
  readonly implied: boolean;
  /** The dataset or view from which the rows come, for a union's `withsource`. */
  readonly dataset?: string;
  /** The ID of the time column already filtered by the query's time range. */
  readonly inRange?: string;
  /** The IDs of precomputed columns, by the SQL of the column. */
  readonly precomputed?: ReadonlyMap<string, string>;
  /** Present while the rows are events of one dataset. */
  readonly cursor?: {
    readonly time: string;
    readonly row: string;
    readonly numbering: number;
    /** Whether the rows have cursors even if they aren't ordered by time. */
    readonly named?: boolean;
  };
  readonly rowCountId?: string;
  /** The group columns after a summarize. Their IDs stay valid even if later stages rename the columns. */
  readonly groups?: readonly GroupColumn[];
  /** The time bin of a summarize. Filters and limits keep it. Stages that group, combine or expand rows drop it. */
  readonly bin?: TimeBin;
}

export type GroupColumn = Pick<TableColumn, 'name' | 'id'>;

export interface TimeBin {
  readonly field: string;
  readonly id: string;
  readonly size: bigint;
  /** The group columns without the time. */
  readonly groups: readonly GroupColumn[];
  /** Whether the time is the first group column. If so, a limit counts groups. */
  readonly first: boolean;
  readonly operator: BoundOperator & { kind: 'summarize' };
  readonly input: Table;
  readonly stages: readonly BoundStage[];
}

const typeOfStored: Readonly<Record<StoredType, ValueType>> = {
  integer: 'long',
  float: 'real',
  string: 'string',
  boolean: 'bool',
  datetime: 'datetime',
  timespan: 'timespan',
  array: 'dynamic',
  map: 'dynamic',
};

export function storedTable(layout: DatasetLayout): Table {
  const columns = layout.fields.map((field): TableColumn => {
    const variants = field.variants.map((variant) => ({
      type: typeOfStored[variant.type],
      id: variant.column,
      stored: variant.type,
    }));
    const [only] = variants;
    if (variants.length > 1 || only === undefined) {
      return { name: field.name, type: 'dynamic', id: '', variants };
    }
    const shape = only.stored === 'array' || only.stored === 'map' ? { shape: only.stored } : {};
    return { name: field.name, type: only.type, id: only.id, ...shape };
  });
  const ids = layout.fields.flatMap((field) => field.variants.map((variant) => variant.column));
  return {
    relation: { kind: 'table', name: print.storedName(layout.table), isStored: true },
    columns,
    taken: new Set([...ids.map((id) => id.toLowerCase()), 'rowid']),
    order: [],
    implied: true,
  };
}

/** Returns a column's value as SQL over the relation called `side`. */
export function columnValue(of: TableColumn, side: 't' | 'l' | 'r' = 't'): Value {
  if (of.variants !== undefined) {
    return unite(
      of.variants.map((variant) => stored(variant.type, variant.id, variant.stored, side)),
    );
  }
  return {
    ...value(print.column(of.id, side), of.type),
    ...(of.shape && { shape: of.shape }),
    ...(of.known && { known: of.known }),
  };
}

function stored(type: ValueType, id: string, kind: StoredType, side: 't' | 'l' | 'r'): Value {
  const plain = value(print.column(id, side), type);
  return kind === 'array' || kind === 'map' ? { ...plain, shape: kind } : plain;
}

/** Returns the names of the group columns. For a hidden column, returns its last name. */
export function groupNames({ groups = [], columns }: Table): readonly string[] {
  return groups.flatMap(({ name, id }) => {
    const shown = columns.filter((column) => column.id === id);
    return shown.length === 0 ? [name] : shown.map((column) => column.name);
  });
}

/** Returns the columns by name. If several columns have the same name, the first is used. */
export function columnsByName({ columns }: Table): ReadonlyMap<string, TableColumn> {
  return new Map(columns.toReversed().map((column) => [column.name, column]));
}

/** Adds columns. New columns replace existing columns with the same names. */
export function withColumns(
  columns: readonly TableColumn[],
  added: readonly TableColumn[],
): readonly TableColumn[] {
  const names = new Set(added.map(({ name }) => name));
  return [...columns.filter(({ name }) => !names.has(name)), ...added];
}

/** Assigns IDs that are unique in a relation. */
export class Ids {
  readonly #taken: Set<string>;
  /** The last number appended to each name, so that a thousand equal names stay fast. */
  readonly #numbers = new Map<string, number>();

  constructor(taken: ReadonlySet<string> = new Set()) {
    this.#taken = new Set(taken);
  }

  get taken(): ReadonlySet<string> {
    return this.#taken;
  }

  free(name: string): string {
    const wish = name === '' ? 'column' : name;
    let id = wish;
    if (this.#taken.has(id.toLowerCase())) {
      let number = this.#numbers.get(wish) ?? 1;
      do id = `${wish}_${++number}`;
      while (this.#taken.has(id.toLowerCase()));
      this.#numbers.set(wish, number);
    }
    this.#taken.add(id.toLowerCase());
    return id;
  }
}

export function addColumn(name: string, of: Value, ids: Ids, items: Item[]): TableColumn {
  const id = ids.free(name);
  items.push({ id, sql: of.sql });
  const known = of.constant ?? of.known;
  return {
    name,
    type: of.type,
    id,
    ...(of.shape && { shape: of.shape }),
    ...(known && { known }),
  };
}

export function extended(table: Table, items: readonly Item[], ids: Ids): Table {
  if (items.length === 0) return table;
  return {
    ...table,
    relation: { kind: 'extend', input: table.relation, items },
    taken: ids.taken,
  };
}

export function newTable(relation: Relation, columns: readonly TableColumn[], ids: Ids): Table {
  return { relation, columns, taken: ids.taken, order: [], implied: true };
}

/** A table with one row and no columns, used to plan expressions that read no rows. */
export const oneRow: Table = {
  relation: { kind: 'values', ids: [], rows: [] },
  columns: [],
  taken: new Set(['one']),
  order: [],
  implied: true,
};

export function filtered(table: Table, predicate: Sql): Table {
  return { ...table, relation: { kind: 'filter', input: table.relation, predicate } };
}

/**
 * A relation on its way through a pipeline: which of its columns APL sees and by what names, and the
 * order its rows are to have. Columns that APL no longer sees stay in the relation, where an order may
 * still need them; DuckDB drops what nothing reads.
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
  /** The column's id in the relation; of a column of several types, that of none. */
  readonly id: string;
  readonly shape?: 'array' | 'map';
  /** What every row holds, where the query made the column of constants. */
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
  /** The ids in the relation, in lower case. */
  readonly taken: ReadonlySet<string>;
  /** The order of the rows; `implied` when the query did not ask for it. */
  readonly order: readonly OrderKey[];
  readonly implied: boolean;
  /** The dataset or view whose rows these are, as a union's `withsource` names it. */
  readonly dataset?: string;
  /** The id of a column of times that all lie in the range of the request. */
  readonly inRange?: string;
  /** The ids of columns by the SQL that they were computed from before a stage, as long as the relation has them. */
  readonly held?: ReadonlyMap<string, string>;
  /** The ids of an event's time and row, as long as the rows are the events of a dataset. */
  readonly cursor?: {
    readonly time: string;
    readonly row: string;
    /** What numbers the rows. */
    readonly numbering: number;
    /** Whether the cursors name the events in any order of the rows. */
    readonly named?: boolean;
  };
  /** The id of a column that tells in each row how many rows were aggregated. */
  readonly counted?: string;
  /** The columns that group, after a summarize; their ids stay, whatever later stages make of the names. */
  readonly groups?: readonly GroupColumn[];
  /** The bin of a time-binned summarize, as long as its rows are those of the groups. */
  readonly bin?: TimeBin;
}

export type GroupColumn = Pick<TableColumn, 'name' | 'id'>;

export interface TimeBin {
  readonly field: string;
  /** The id of the column with the time. */
  readonly id: string;
  readonly size: bigint;
  /** Those of the columns that group beside the time. */
  readonly groups: readonly GroupColumn[];
  /** Whether the time stands first, so that a limit counts groups. */
  readonly first: boolean;
  /** The summarize that made the bins, and the table it took. */
  readonly operator: BoundOperator & { kind: 'summarize' };
  readonly input: Table;
  /** The stages since then. */
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

/** A dataset as it lies in the store, with no rows left out. */
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
    relation: { kind: 'table', name: print.storedName(layout.table) },
    columns,
    taken: new Set([...ids.map((id) => id.toLowerCase()), 'rowid']),
    order: [],
    implied: true,
  };
}

/** The value of a column in an expression over the relation called `side`. */
export function columnValue(of: TableColumn, side: 't' | 'l' | 'r' = 't'): Value {
  if (of.variants !== undefined) {
    return unite(
      of.variants.map((variant) => stored(variant.type, variant.id, variant.stored, side)),
    );
  }
  return {
    ...value(print.column(of.id, side), of.type),
    ...(of.shape === undefined ? {} : { shape: of.shape }),
    ...(of.known === undefined ? {} : { known: of.known }),
  };
}

function stored(type: ValueType, id: string, kind: StoredType, side: 't' | 'l' | 'r'): Value {
  const plain = value(print.column(id, side), type);
  return kind === 'array' || kind === 'map' ? { ...plain, shape: kind } : plain;
}

/** The names that the columns that group have by now; of one that is not shown, the name it had. */
export function groupNames({ groups = [], columns }: Table): readonly string[] {
  return groups.flatMap(({ name, id }) => {
    const shown = columns.filter((column) => column.id === id);
    return shown.length === 0 ? [name] : shown.map((column) => column.name);
  });
}

/** The columns by name; of several of one name, which no stage makes, the first. */
export function columnsByName({ columns }: Table): ReadonlyMap<string, TableColumn> {
  return new Map(columns.toReversed().map((column) => [column.name, column]));
}

/** Gives out ids that no column of the relation has. */
export class Ids {
  readonly #taken: Set<string>;
  /** The number that was last put after a name, so that a thousand columns of one name stay cheap. */
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

/** A column for a value; an empty `items` is filled with what must be computed for it. */
export function addColumn(name: string, of: Value, ids: Ids, items: Item[]): TableColumn {
  const id = ids.free(name);
  items.push({ id, sql: of.sql });
  const known = of.constant ?? of.known;
  return {
    name,
    type: of.type,
    id,
    ...(of.shape === undefined ? {} : { shape: of.shape }),
    ...(known === undefined ? {} : { known }),
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

/** A table of columns that were just computed, with no order. */
export function fresh(relation: Relation, columns: readonly TableColumn[], ids: Ids): Table {
  return { relation, columns, taken: ids.taken, order: [], implied: true };
}

/** One row with nothing in it, which is what an expression reads where there are no rows. */
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

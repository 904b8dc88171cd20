/**
 * The datasets a query may name, by name, with their fields as columns. An index is made once per
 * schema and a dataset's columns once per dataset, since every keystroke binds against the same ones.
 */
import { scalarTypesOfWire } from '../catalog/index.ts';
import type { ScalarType } from '../catalog/types.ts';
import type { DatasetSchema, FieldSchema, Schema } from '../schema.ts';
import type { Column } from './bound.ts';
import { ColumnList } from './columns.ts';

export interface Datasets {
  /** Whether a dataset that is not listed does not exist. */
  readonly complete: boolean;
  readonly names: readonly string[];
  has(name: string): boolean;
  /** The columns of a dataset; open for one that is not known, or not wholly. */
  columnsOf(name: string): ColumnList;
}

/** The scalar type of a wire type; a union such as `integer|string` cannot be told and lists its variants. */
function typeOfWire(wire: string): { type: ScalarType; variants?: readonly ScalarType[] } {
  const variants = scalarTypesOfWire(wire);
  const [only] = variants;
  if (variants.length === 1 && only !== undefined) return { type: only };
  return { type: 'unknown', variants };
}

/** A stored field as a column. */
export function columnOfField(field: FieldSchema, dataset: string): Column {
  const isTime = field.name === '_time' || field.name === '_sysTime';
  return {
    name: field.name,
    ...(isTime ? { type: 'datetime' as const } : typeOfWire(field.type)),
    wireType: isTime ? 'datetime' : field.type,
    dataset,
    ...(field.unit ? { unit: field.unit } : {}),
    ...(field.description ? { description: field.description } : {}),
    ...(field.hidden ? { hidden: true } : {}),
  };
}

/** The two times every event has, for datasets whose fields are not listed or leave them out. */
function systemColumns(dataset: string): Column[] {
  return [
    { name: '_sysTime', type: 'datetime', wireType: 'datetime', dataset },
    { name: '_time', type: 'datetime', wireType: 'datetime', dataset },
  ];
}

function columnsOfDataset(dataset: DatasetSchema): ColumnList {
  const columns = new Map<string, Column>();
  for (const field of dataset.fields) {
    columns.set(field.name, columnOfField(field, dataset.name));
  }
  // A view has the columns its query gives, and need not have these.
  const missing =
    dataset.kind === 'view'
      ? []
      : systemColumns(dataset.name).filter((column) => !columns.has(column.name));
  return ColumnList.of([...missing, ...columns.values()], dataset.complete === false);
}

const indexes = new WeakMap<Schema, Datasets>();

const nothingKnown: Schema = { datasets: [] };

/** The index of a schema; the same one for the same schema object, which must not be changed. */
export function datasetsOf(schema: Schema = nothingKnown): Datasets {
  let index = indexes.get(schema);
  if (index === undefined) {
    index = makeIndex(schema);
    indexes.set(schema, index);
  }
  return index;
}

function makeIndex(schema: Schema): Datasets {
  const byName = new Map(schema.datasets.map((dataset) => [dataset.name, dataset]));
  const columns = new Map<string, ColumnList>();
  // Of what is not known only the last is remembered: a text may name any number, and mostly names one.
  let last: { readonly name: string; readonly list: ColumnList } | undefined;
  const unlisted = (name: string): ColumnList => {
    if (last?.name !== name) last = { name, list: ColumnList.of(systemColumns(name), true) };
    return last.list;
  };
  return {
    complete: schema.complete === true,
    names: [...byName.keys()],
    has: (name) => byName.has(name),
    columnsOf(name) {
      const dataset = byName.get(name);
      if (dataset === undefined) return unlisted(name);
      let list = columns.get(name);
      if (list === undefined) {
        list = columnsOfDataset(dataset);
        columns.set(name, list);
      }
      return list;
    },
  };
}

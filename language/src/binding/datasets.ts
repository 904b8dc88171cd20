/**
 * Looks up datasets by name. Every keystroke requires many lookups, so the name index is cached per schema, and the
 * columns per dataset.
 */
import { scalarTypesOfWire } from '../catalog/index.ts';
import type { ScalarType } from '../catalog/types.ts';
import { getOrCreate, oncePer } from '../maps.ts';
import type { DatasetSchema, FieldSchema, Schema } from '../schema.ts';
import type { Column } from './bound.ts';
import { ColumnList } from './columns.ts';

export interface Datasets {
  /** Whether the schema lists all datasets. */
  readonly complete: boolean;
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Returns the columns of a dataset. The list is open if the dataset is unknown or only partly known. */
  columnsOf(name: string): ColumnList;
}

/** Returns the scalar type, or `unknown` for a union such as `integer|string`, whose parts' types are `variants`. */
function typeOfWire(wire: string): { type: ScalarType; variants?: readonly ScalarType[] } {
  const variants = scalarTypesOfWire(wire);
  const [only] = variants;
  if (variants.length === 1 && only !== undefined) return { type: only };
  return { type: 'unknown', variants };
}

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

/** Returns the two time columns that every event has, for datasets whose field list lacks them. */
function systemColumns(dataset: string): Column[] {
  return [
    { name: '_sysTime', type: 'datetime', wireType: 'datetime', dataset },
    { name: '_time', type: 'datetime', wireType: 'datetime', dataset },
  ];
}

function columnsOfDataset(dataset: DatasetSchema): ColumnList {
  const columns = new Map<string, Column>();
  for (const field of dataset.fields) columns.set(field.name, columnOfField(field, dataset.name));
  // A view has only the columns of its query, so don't add the time columns to it.
  const missing =
    dataset.kind === 'view'
      ? []
      : systemColumns(dataset.name).filter((column) => !columns.has(column.name));
  return ColumnList.of([...missing, ...columns.values()], dataset.complete === false);
}

const nothingKnown: Schema = { datasets: [] };
const indexOf = oncePer(makeIndex);

/** Returns the cached index of a schema. Don't modify the schema object later. */
export function datasetsOf(schema: Schema = nothingKnown): Datasets {
  return indexOf(schema);
}

function makeIndex(schema: Schema): Datasets {
  const byName = new Map(schema.datasets.map((dataset) => [dataset.name, dataset]));
  const columns = new Map<string, ColumnList>();
  // Cache only the last unlisted dataset, because a query usually names only one unlisted dataset.
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
      return getOrCreate(columns, name, () => columnsOfDataset(dataset));
    },
  };
}

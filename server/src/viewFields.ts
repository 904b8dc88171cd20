/** The fields of a view are the columns of its query: an analysis knows them without asking anybody. */
import { analyzeQuery, type Column, type Schema, wireTypeOf } from '../../language/src/index.ts';
import { datasetNames } from './fieldsNeeded.ts';
import type { FieldsResult, WireField } from './protocol.ts';

/** What the query of a view reads. */
export function datasetsOfView(query: string): string[] {
  return datasetNames(analyzeQuery(query).bound.references);
}

/** The columns of the query. They are not complete where what it reads is not known completely. */
export function fieldsOfView(query: string, schema: Schema): FieldsResult {
  const columns = analyzeQuery(query, schema).bound.pipelines.at(-1)?.columns;
  return {
    fields: (columns?.list ?? []).map(fieldOf),
    complete: columns !== undefined && !columns.open,
  };
}

function fieldOf({ name, type, variants, wireType, unit, description, hidden }: Column): WireField {
  const seen = variants && [...new Set(variants.map(wireTypeOf))].join('|');
  return {
    name,
    type: wireType ?? (seen || wireTypeOf(type)),
    ...(unit && { unit }),
    ...(description && { description }),
    ...(hidden && { hidden }),
  };
}

/** What an analysis and the service know of a view: the columns of the analysis, and those that only the other has. */
export function joinFields(own: FieldsResult, others: FieldsResult | null): FieldsResult {
  const names = new Set(own.fields.map(({ name }) => name));
  const added = others?.fields.filter(({ name }) => !names.has(name)) ?? [];
  return { fields: [...own.fields, ...added], complete: others?.complete === true };
}

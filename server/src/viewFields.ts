/** Derives a view's fields from the columns of its query, which avoids a request. */
import { analyzeQuery, type Column, type Schema, wireTypeOf } from '../../language/src/index.ts';
import { datasetNames } from './fieldsNeeded.ts';
import type { FieldsResult, WireField } from './protocol.ts';

export function datasetsOfView(query: string): string[] {
  return datasetNames(analyzeQuery(query).bound.references);
}

/** Returns a view's fields. The result is incomplete if some columns are unknown. */
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

/** Merges a view's columns with the fields from the service. Fields that only the service knows come last. */
export function joinFields(own: FieldsResult, others: FieldsResult | null): FieldsResult {
  const names = new Set(own.fields.map(({ name }) => name));
  const added = others?.fields.filter(({ name }) => !names.has(name)) ?? [];
  return { fields: [...own.fields, ...added], complete: others?.complete === true };
}

/** Lists and updates the fields of datasets, and manages their map fields. */
import type { Field } from '../../../api/src/index.ts';
import { defined } from '../defined.ts';
import { ApiError } from '../errors.ts';
import { fieldSchema } from '../store/datasetRecords.ts';
import type { StoredField } from '../store/layout.ts';
import type { Store } from '../store/store.ts';
import { findDataset, found } from './datasets.ts';
import type { Handlers } from './handler.ts';

export const fieldHandlers = {
  listAllFields: ({ visible }) =>
    visible.datasets().map(({ layout }) => ({
      datasetName: layout.name,
      fields: layout.fields.map(fieldOf),
    })),
  listFields: ({ store, params }) =>
    findDataset(store, params.dataset_id).layout.fields.map(fieldOf),
  getField: ({ store, params }) => {
    const { layout } = findDataset(store, params.dataset_id);
    const field = layout.fields.find(({ name }) => name === params.field_id);
    if (field === undefined) throw fieldNotFound(params.dataset_id, params.field_id);
    return fieldOf(field);
  },
  updateField: async ({ store, params, body }) => {
    findDataset(store, params.dataset_id);
    const field = await store.datasets.updateField(params.dataset_id, params.field_id, {
      ...defined({ unit: body.unit, hidden: body.hidden, description: body.description }),
    });
    if (field === undefined) throw fieldNotFound(params.dataset_id, params.field_id);
    return fieldOf(field);
  },

  listMapFields: ({ store, params }) =>
    findDataset(store, params.dataset_id).document.mapFields ?? [],
  replaceMapFields: ({ store, params, body }) => {
    const twice = body.find((name, i) => body.indexOf(name) < i);
    if (twice !== undefined) {
      throw new ApiError('map-field-exists', mapField(params.dataset_id, twice));
    }
    return changeMapFields(store, params.dataset_id, () => body);
  },
  createMapField: async ({ store, params, body }) => {
    await changeMapFields(store, params.dataset_id, (names) => {
      if (!names.includes(body.name)) return [...names, body.name];
      throw new ApiError('map-field-exists', mapField(params.dataset_id, body.name));
    });
    return { name: body.name };
  },
  deleteMapField: async ({ store, params }) => {
    await changeMapFields(store, params.dataset_id, (names) => {
      if (names.includes(params.map_field_name)) {
        return names.filter((name) => name !== params.map_field_name);
      }
      throw new ApiError('map-field-not-found', mapField(params.dataset_id, params.map_field_name));
    });
    return undefined;
  },
} satisfies Handlers;

export function fieldOf(field: StoredField): Field {
  return { unit: '', description: '', hidden: false, ...fieldSchema(field) };
}

function fieldNotFound(dataset: string, name: string): ApiError {
  return new ApiError('field-not-found', mapField(dataset, name));
}

function mapField(dataset: string, name: string) {
  return { dataset: JSON.stringify(dataset), name: JSON.stringify(name) };
}

async function changeMapFields(
  store: Store,
  dataset: string,
  change: (names: readonly string[]) => string[],
): Promise<string[]> {
  const updated = await store.datasets.update(dataset, (document) => ({
    ...document,
    mapFields: change(document.mapFields ?? []),
  }));
  return found(dataset, updated).document.mapFields ?? [];
}

// Endpoints for datasets, their fields and their map fields.
import * as R from '../resources.ts';
import { list } from '../schema.ts';
import {
  action,
  del,
  get,
  json,
  olderPath,
  post,
  put,
  type Scope,
  spec,
  unrestricted,
} from './row.ts';

const datasetScope = (need: string, or?: string): Scope => ({
  dataset: { in: 'path', need, ...(or === undefined ? {} : { or }) },
});

const create = { capability: 'datasets:create', scope: { creates: 'maxDatasets' } } as const;
const update = { capability: 'datasets:update', scope: unrestricted } as const;
const read = { capability: 'datasets:read', scope: datasetScope('query:read') } as const;
const remove = { capability: 'datasets:delete', scope: unrestricted } as const;
const trim = {
  ...json,
  capability: 'trim:update',
  scope: datasetScope('trim:update'),
  body: R.TrimOptions,
} as const;

const listDatasets = get('/v2/datasets', 'List datasets.', list(R.Dataset), {
  scope: { listsDatasets: true },
});
const createDataset = post('/v2/datasets', 'Create a dataset.', R.NewDataset, R.Dataset, create);
const getDataset = get('/v2/datasets/{dataset_id}', 'Get a dataset.', R.Dataset, {
  scope: datasetScope('query:read', 'datasets:read'),
});
const updateDataset = put(
  '/v2/datasets/{dataset_id}',
  'Update the settings of a dataset.',
  R.DatasetUpdate,
  R.Dataset,
  update,
);
const deleteDataset = del('/v2/datasets/{dataset_id}', 'Delete a dataset and its events.', remove);
const trimDataset = action(
  '/v2/datasets/{dataset_id}/trim',
  'Delete the events of a dataset that exceed a maximum age.',
  trim,
);

export const datasetEndpoints = {
  listAllFields: get(
    '/v1/datasets/_fields',
    'List the fields of all datasets.',
    list(R.DatasetFields),
    { scope: unrestricted },
  ),
  listDatasets,
  createDataset,
  getDataset,
  updateDataset,
  deleteDataset,
  listDatasetsV1: olderPath(listDatasets),
  createDatasetV1: olderPath(createDataset),
  getDatasetV1: olderPath(getDataset),
  updateDatasetV1: olderPath(updateDataset),
  deleteDatasetV1: olderPath(deleteDataset),
  getDatasetInfo: get(
    '/v1/datasets/{dataset_id}/info',
    'Get the size, time range and fields of a dataset.',
    R.DatasetInfo,
    read,
  ),
  trimDataset,
  trimDatasetV1: olderPath(trimDataset, { status: [200], reply: 'json', response: R.TrimResult }),
  vacuumDataset: action(
    '/v2/datasets/{dataset_id}/vacuum',
    'Remove fields without values from a dataset, at most once a day.',
    { capability: 'vacuum:update', scope: datasetScope('vacuum:update'), status: [200] },
  ),
  listFields: get(
    '/v2/datasets/{dataset_id}/fields',
    'List the fields of a dataset.',
    list(R.Field),
    read,
  ),
  getField: get(
    '/v2/datasets/{dataset_id}/fields/{field_id}',
    'Get a field of a dataset.',
    R.Field,
    read,
  ),
  updateField: put(
    '/v2/datasets/{dataset_id}/fields/{field_id}',
    'Update the unit, description or visibility of a field.',
    R.FieldUpdate,
    R.Field,
    update,
  ),
  listMapFields: get(
    '/v2/datasets/{dataset_id}/mapfields',
    'List the map fields of a dataset.',
    R.MapFieldNames,
    read,
  ),
  replaceMapFields: put(
    '/v2/datasets/{dataset_id}/mapfields',
    'Replace the map fields of a dataset.',
    R.MapFieldNames,
    R.MapFieldNames,
    update,
  ),
  createMapField: post(
    '/v2/datasets/{dataset_id}/mapfields',
    'Convert a field of a dataset to a map field.',
    R.MapField,
    R.MapField,
    { ...update, ...spec },
  ),
  deleteMapField: del(
    '/v2/datasets/{dataset_id}/mapfields/{map_field_name}',
    'Convert a map field to an ordinary field.',
    update,
  ),
};

/** Lists, creates, changes and deletes datasets. A dataset's name is also its identifier. */
import type { Dataset, EndpointKey } from '../../../api/src/index.ts';
import { defined } from '../defined.ts';
import { edgeOf, edgeUrl } from '../edges.ts';
import { ApiError } from '../errors.ts';
import { newDocument } from '../newDataset.ts';
import type { Store } from '../store/store.ts';
import type { Call, Handlers } from './handler.ts';

type DatasetCall<K extends EndpointKey> = Call<K> | Call<`${K}V1` & EndpointKey>;

function listDatasets({ visible, origin }: DatasetCall<'listDatasets'>): Dataset[] {
  return visible.datasets().map(({ document }) => withEdgeUrl(document, origin));
}

function getDataset({ store, params, origin }: DatasetCall<'getDataset'>): Dataset {
  return withEdgeUrl(findDataset(store, params.dataset_id).document, origin);
}

async function createDataset({ store, body, origin }: DatasetCall<'createDataset'>) {
  // The new dataset would hide the view from all queries.
  if (store.resources.get('view', body.name) !== undefined)
    throw new ApiError('dataset-is-view', { name: JSON.stringify(body.name) });
  const dataset = await store.datasets.create(newDocument(body));
  if (dataset === undefined) {
    throw new ApiError('dataset-exists', { name: JSON.stringify(body.name) });
  }
  return withEdgeUrl(dataset.document, origin);
}

async function updateDataset({ store, params, body, origin }: DatasetCall<'updateDataset'>) {
  const { description, retentionDays, useRetentionPeriod } = body;
  const updated = await store.datasets.update(params.dataset_id, (document) => ({
    ...document,
    ...defined({ description, retentionDays, useRetentionPeriod }),
  }));
  return withEdgeUrl(found(params.dataset_id, updated).document, origin);
}

async function deleteDataset({ store, params }: DatasetCall<'deleteDataset'>): Promise<undefined> {
  const name = params.dataset_id;
  if (!(await store.datasets.delete(name))) throw datasetNotFound(name);
  return undefined;
}

export const datasetHandlers = {
  listDatasets,
  listDatasetsV1: listDatasets,
  getDataset,
  getDatasetV1: getDataset,
  createDataset,
  createDatasetV1: createDataset,
  updateDataset,
  updateDatasetV1: updateDataset,
  deleteDataset,
  deleteDatasetV1: deleteDataset,
} satisfies Handlers;

export const findDataset = (store: Store, name: string) => found(name, store.datasets.get(name));

/** Returns `value`. Throws an ApiError if it is undefined, because the dataset doesn't exist. */
export function found<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw datasetNotFound(name);
  return value;
}

export function datasetNotFound(name: string): ApiError {
  return new ApiError('dataset-not-found', { name: JSON.stringify(name) });
}

function withEdgeUrl(document: Dataset, origin: string): Dataset {
  const edge = edgeOf(document);
  return { ...document, edgeDeployment: edge.id, edgeDeploymentUrl: edgeUrl(origin, edge) };
}

/** Datasets: list, make, change, delete. A dataset's identifier is its name. */
import type { Dataset, NewDataset } from '../../../api/src/index.ts';
import { edgeNamed, edgeOf, edgeUrl } from '../edges.ts';
import { ApiError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { formatTime } from '../time.ts';
import type { Handlers } from './handler.ts';
import { LOCAL_USER_ID } from './identity.ts';

export const datasetHandlers: Handlers = {
  listDatasets: ({ seen, origin }) =>
    seen.datasets().map(({ document }) => shown(document, origin)),
  getDataset: ({ store, params, origin }) => shown(find(store, params.dataset_id).document, origin),
  createDataset: async ({ store, body, origin }) => {
    const dataset = await store.datasets.create(newDocument(body));
    if (dataset === undefined) {
      throw new ApiError('dataset-exists', { name: JSON.stringify(body.name) });
    }
    return shown(dataset.document, origin);
  },
  updateDataset: async ({ store, params, body, origin }) => {
    const updated = await store.datasets.update(params.dataset_id, (document) => ({
      ...document,
      ...(body.description === undefined ? {} : { description: body.description }),
      ...(body.retentionDays === undefined ? {} : { retentionDays: body.retentionDays }),
      ...(body.useRetentionPeriod === undefined
        ? {}
        : { useRetentionPeriod: body.useRetentionPeriod }),
    }));
    if (updated === undefined) throw notFound(params.dataset_id);
    return shown(updated.document, origin);
  },
  deleteDataset: async ({ store, params }) => {
    if (!(await store.datasets.delete(params.dataset_id))) throw notFound(params.dataset_id);
    return undefined;
  },
};

/** The dataset of a name. Throws when there is none. */
export function find(store: Store, name: string) {
  const dataset = store.datasets.get(name);
  if (dataset === undefined) throw notFound(name);
  return dataset;
}

export function notFound(name: string): ApiError {
  return new ApiError('dataset-not-found', { name: JSON.stringify(name) });
}

function newDocument(body: NewDataset): Dataset {
  const created = formatTime(Date.now());
  return {
    ...body,
    id: body.name,
    description: body.description ?? '',
    kind: body.kind ?? 'axiom:events:v1',
    created,
    updatedAt: created,
    who: LOCAL_USER_ID,
    canWrite: true,
    mapFields: [],
    edgeDeployment: edgeNamed(body.edgeDeployment).id,
  };
}

/** A dataset as the API shows it, with the address of its edge deployment. */
function shown(document: Dataset, origin: string): Dataset {
  const edge = edgeOf(document);
  return { ...document, edgeDeployment: edge.id, edgeDeploymentUrl: edgeUrl(origin, edge) };
}

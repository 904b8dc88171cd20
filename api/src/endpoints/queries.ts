// Endpoints that run queries.
import * as R from '../resources.ts';
import { act, alsoAt, edge, get, json, open, post, type Scope, spec } from './row.ts';

// The gate cannot know what an APL query reads. The handler binds it against the datasets that the token may read.
const may = { capability: 'query:read', scope: open, error: R.QueryError } as const;

const onDataset: Scope = { dataset: { in: 'path', need: 'query:read' } };

const queryStructured = post(
  '/v2/datasets/{dataset_id}/query',
  'Run a structured query over a dataset.',
  R.StructuredQuery,
  R.StructuredResult,
  { ...may, scope: onDataset, query: R.StructuredQueryParameters },
);

export const queryEndpoints = {
  queryEdge: post(
    '/v1/query/_apl',
    'Run an APL query on an edge deployment.',
    R.EdgeQueryRequest,
    R.QueryResult,
    { ...edge, ...may, ...spec, query: R.EdgeQueryParameters },
  ),
  queryBatch: act(
    '/v1/query/batch',
    'Run several queries on an edge deployment; results come as events.',
    {
      ...edge,
      ...may,
      ...json,
      query: R.BatchParameters,
      body: R.BatchRequest,
      status: [200],
      reply: 'events',
    },
  ),
  queryGeneral: post(
    '/v1/datasets/_apl',
    'Run an APL query through the general address.',
    R.GeneralQueryRequest,
    R.QueryResult,
    { ...may, ...spec, query: R.GeneralQueryParameters },
  ),
  queryStructured,
  queryStructuredV1: alsoAt(
    queryStructured,
    '/v1/datasets/{dataset_id}/query',
    'Run a structured query over a dataset, by the older path.',
  ),
  getKeptQuery: get(
    '/v1/datasets/_history/{id}',
    'Get a query that was kept when it ran.',
    R.KeptQuery,
    { scope: open },
  ),
};

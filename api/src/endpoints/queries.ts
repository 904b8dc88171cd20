// Endpoints that run queries.
import * as R from '../resources.ts';
import { action, edge, get, json, olderPath, post, type Scope, spec, unrestricted } from './row.ts';

// A query's datasets are known only after binding, so the handler binds it with the datasets that the token may read.
const canQuery = { capability: 'query:read', scope: unrestricted, error: R.QueryError } as const;

const onDataset: Scope = { dataset: { in: 'path', need: 'query:read' } };

const queryStructured = post(
  '/v2/datasets/{dataset_id}/query',
  'Run a structured query on a dataset.',
  R.StructuredQuery,
  R.StructuredResult,
  { ...canQuery, scope: onDataset, query: R.StructuredQueryParameters },
);

export const queryEndpoints = {
  queryEdge: post(
    '/v1/query/_apl',
    'Run an APL query on an edge deployment.',
    R.EdgeQueryRequest,
    R.QueryResult,
    { ...edge, ...canQuery, ...spec, query: R.EdgeQueryParameters },
  ),
  queryBatch: action(
    '/v1/query/batch',
    'Run several queries on an edge deployment. The response is an event stream.',
    {
      ...edge,
      ...canQuery,
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
    { ...canQuery, ...spec, query: R.GeneralQueryParameters },
  ),
  queryStructured,
  queryStructuredV1: olderPath(queryStructured),
  getHistoryQuery: get(
    '/v1/datasets/_history/{id}',
    'Get a query from the query history.',
    R.HistoryQuery,
    { scope: unrestricted },
  ),
};

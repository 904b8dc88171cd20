/**
 * Simulates edge deployments. Each has a base path, where it serves ingest and edge queries for its own datasets.
 * Without a base path, the endpoints serve all datasets, so that one URL is enough for most users.
 */
import {
  type Dataset,
  DEFAULT_EDGE_DEPLOYMENT,
  EDGE_DEPLOYMENTS,
  type EdgeDeployment,
  MESSAGE_CODES,
  type Message,
} from '../../api/src/index.ts';
import { ApiError } from './errors.ts';
import type { HttpRequest } from './http.ts';
import type { Store } from './store/store.ts';

function basePath({ id }: EdgeDeployment): string {
  return `/edge/${id.split('.')[1]}`;
}

const byPath: ReadonlyMap<string, EdgeDeployment> = new Map(
  EDGE_DEPLOYMENTS.map((edge) => [basePath(edge), edge]),
);

export interface Route {
  readonly path: string;
  readonly edge?: EdgeDeployment;
}

export function routeOf(pathname: string): Route {
  const base = /^\/edge\/[^/]+/.exec(pathname)?.[0];
  const edge = base === undefined ? undefined : byPath.get(base);
  return edge === undefined
    ? { path: pathname }
    : { path: pathname.slice(base!.length) || '/', edge };
}

/** Returns the deployment's origin in the form that the client used, which a proxy names in `X-Forwarded-Host`. */
export function originOf({ headers }: HttpRequest, url: URL): string {
  const forwarded = headers.get('x-forwarded-host') ?? '';
  if (!/^[\w.-]+(:\d+)?$/.test(forwarded)) return `http://${headers.get('host') ?? url.host}`;
  return `${headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http'}://${forwarded}`;
}

/** Returns an edge deployment's URL. `origin` is the local deployment's origin in the form that the client used. */
export function edgeUrl(origin: string, edge: EdgeDeployment): string {
  return origin + basePath(edge);
}

/** Returns the default edge deployment for an empty ID. Throws an ApiError for an unknown ID. */
export function edgeNamed(id: string | undefined): EdgeDeployment {
  if (id === undefined || id === '') return DEFAULT_EDGE_DEPLOYMENT;
  const found = EDGE_DEPLOYMENTS.find((edge) => edge.id === id);
  if (found !== undefined) return found;
  const ids = EDGE_DEPLOYMENTS.map((edge) => edge.id).join(', ');
  const problems = `edgeDeployment must be one of ${ids}, got ${JSON.stringify(id)}`;
  throw new ApiError('bad-request', { problems });
}

/** Returns a dataset's edge deployment. A dataset from an older version is in the default edge deployment. */
export function edgeOf({ edgeDeployment }: Dataset): EdgeDeployment {
  return EDGE_DEPLOYMENTS.find(({ id }) => id === edgeDeployment) ?? DEFAULT_EDGE_DEPLOYMENT;
}

/** Checks the edge deployment of a dataset. Throws an ApiError if it isn't `edge`. */
export function checkEdge(
  { datasets }: Store,
  name: string,
  requested: EdgeDeployment | undefined,
  origin: string,
): void {
  const dataset = datasets.get(name);
  if (requested === undefined || dataset === undefined) return;
  const own = edgeOf(dataset.document);
  if (own.id === requested.id) return;
  throw new ApiError('other-deployment', {
    name: JSON.stringify(name),
    own: own.name,
    requested: requested.name,
    url: edgeUrl(origin, own),
  });
}

/** Returns a notice for each region that a query's result leaves because the general API host answers the query. */
export function leftRegionNotices({ datasets }: Store, names: readonly string[]): Message[] {
  const datasetsByEdge = new Map<string, string[]>();
  for (const name of names) {
    const dataset = datasets.get(name);
    const edge = dataset === undefined ? DEFAULT_EDGE_DEPLOYMENT : edgeOf(dataset.document);
    if (edge.id === DEFAULT_EDGE_DEPLOYMENT.id) continue;
    datasetsByEdge.set(edge.name, [...(datasetsByEdge.get(edge.name) ?? []), JSON.stringify(name)]);
  }
  return [...datasetsByEdge].map(([edge, stored]) => ({
    priority: 'info',
    code: MESSAGE_CODES.leftRegion,
    count: 1,
    msg: `The result left ${edge}, which stores ${stored.join(', ')}: the general address routes results through ${DEFAULT_EDGE_DEPLOYMENT.name}. Query the edge deployment to keep them there.`,
  }));
}

// The edge deployments, which store data. Their identifiers are public, but the spec has only their names.

export interface EdgeDeployment {
  readonly id: string;
  readonly name: string;
  /** Base URL of the hosted edge deployment, for ingest and queries. */
  readonly url: string;
}

/** All public edge deployments. The first deployment routes the results of queries that use the general address. */
export const EDGE_DEPLOYMENTS = [
  {
    id: 'cloud.us-east-1.aws',
    name: 'US East 1',
    url: 'https://us-east-1.aws.edge.axiom.co',
  },
  {
    id: 'cloud.eu-central-1.aws',
    name: 'EU Central 1',
    url: 'https://eu-central-1.aws.edge.axiom.co',
  },
] as const satisfies readonly EdgeDeployment[];

/** The edge deployment of datasets that don't name an edge deployment. */
export const DEFAULT_EDGE_DEPLOYMENT: EdgeDeployment = EDGE_DEPLOYMENTS[0];

/** Base URL of the hosted service's general address. */
export const HOSTED_GENERAL_URL = 'https://api.axiom.co';

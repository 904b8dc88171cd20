// The edge deployments that store data. Their identifiers are public and not in the spec, which has their names.

export interface EdgeDeployment {
  readonly id: string;
  readonly name: string;
  /** The address of the hosted service for its ingest and queries. */
  readonly url: string;
}

/** The first is the one that results of the general address are routed through. */
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

/** Where a dataset is stored when nothing is said. */
export const DEFAULT_EDGE_DEPLOYMENT: EdgeDeployment = EDGE_DEPLOYMENTS[0];

/** The general address of the hosted service. */
export const HOSTED_GENERAL_URL = 'https://api.axiom.co';

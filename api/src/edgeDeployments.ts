// The public edge deployments, which store data. Their names are in the spec. Their IDs are from other public sources.

export interface EdgeDeployment {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

/** The edge deployments. Results of queries to the general API host pass through the first one. */
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

/** The edge deployment of datasets whose record names none. */
export const DEFAULT_EDGE_DEPLOYMENT: EdgeDeployment = EDGE_DEPLOYMENTS[0];

/** Base URL of the hosted service's general API host. */
export const HOSTED_GENERAL_URL = 'https://api.axiom.co';

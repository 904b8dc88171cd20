// Routes requests for data by token kind, the deployment's addresses, the datasets' edge deployments and the operation.
// The first matching row applies.
import {
  DEFAULT_EDGE_DEPLOYMENT,
  EDGE_DEPLOYMENTS,
  HOSTED_GENERAL_URL,
  MESSAGE_CODES,
  type TokenKind,
} from '../../../api/src/plain.ts';
import { plural } from '../../../formats/src/counts.ts';
import { inWords } from '../words/lists.ts';
import type { Place, Stored } from './places.ts';

/** Following and counting count as queries. Requests for fields and resources go to the general address. */
export type Operation = 'query' | 'ingest';

/** A deployment's addresses, without a trailing slash. */
export interface Addresses {
  readonly general: string;
  readonly edge: string;
}

/** `one`: one address (local deployment). `hosted`: the hosted service's addresses. `pair`: two custom addresses. */
export type AddressKind = 'one' | 'hosted' | 'pair';

/** Where the datasets are, relative to the deployment's edge address. */
export type Whereabouts =
  /** At the edge address, or assumed to be there because no other address is recorded. */
  | 'here'
  /** In another edge deployment, whose address is known. */
  | 'elsewhere'
  /** In another edge deployment, whose address is unknown. */
  | 'unknown'
  | 'several';

interface RouteFacts {
  readonly operation: Operation;
  /** The kind of token; undefined for an unknown format, which counts as an API token. */
  readonly token: TokenKind | undefined;
  readonly addresses: Addresses;
  readonly stored: readonly Stored[];
}

export interface RouteNotice {
  readonly code: string;
  readonly priority: 'info';
  readonly count: 1;
  readonly msg: string;
}

export type Route =
  | {
      readonly kind: 'edge';
      readonly address: string;
      /** The edge deployment, if the address comes from a dataset's record. */
      readonly place?: Place;
    }
  | { readonly kind: 'general'; readonly notices: readonly RouteNotice[] }
  | { readonly kind: 'refused'; readonly message: string };

type Way = 'ownEdge' | 'theirEdge' | 'general' | 'oneAtATime' | 'noAddress';

interface RouteRow {
  readonly token: 'api' | 'personal' | 'any';
  readonly addresses: readonly AddressKind[];
  readonly whereabouts: readonly Whereabouts[];
  readonly way: Way;
  readonly because: string;
}

const everyKind: readonly AddressKind[] = ['one', 'hosted', 'pair'];
const everywhere: readonly Whereabouts[] = ['here', 'elsewhere', 'unknown', 'several'];

export const routeRows: readonly RouteRow[] = [
  {
    token: 'any',
    addresses: ['hosted'],
    whereabouts: ['several'],
    way: 'oneAtATime',
    because: 'A query of the hosted service reads one edge deployment, at any address.',
  },
  {
    token: 'personal',
    addresses: everyKind,
    whereabouts: everywhere,
    way: 'general',
    because: 'Edge deployments accept API tokens only.',
  },
  {
    token: 'api',
    addresses: ['one'],
    whereabouts: everywhere,
    way: 'ownEdge',
    because: 'One address serves the datasets of all edge deployments.',
  },
  {
    token: 'api',
    addresses: ['pair'],
    whereabouts: ['several'],
    way: 'general',
    because: 'The general address may read several edge deployments; it refuses where it does not.',
  },
  {
    token: 'api',
    addresses: ['hosted', 'pair'],
    whereabouts: ['unknown'],
    way: 'noAddress',
    because: 'A request to another edge deployment would be refused, or leave the region unseen.',
  },
  {
    token: 'api',
    addresses: ['hosted', 'pair'],
    whereabouts: ['elsewhere'],
    way: 'theirEdge',
    because: 'Each dataset is read and written at its own edge deployment.',
  },
  {
    token: 'api',
    addresses: ['hosted', 'pair'],
    whereabouts: ['here'],
    way: 'ownEdge',
    because: 'The datasets are there, or the deployment says where they are not.',
  },
];

export function routeFor(facts: RouteFacts): Route {
  const kind = addressKind(facts.addresses);
  const places = placesOf(facts.stored);
  const whereabouts = whereaboutsOf(places, kind, facts.addresses.edge);
  const token = facts.token === 'personal' ? 'personal' : 'api';
  const row = routeRows.find(
    (one) =>
      (one.token === 'any' || one.token === token) &&
      one.addresses.includes(kind) &&
      one.whereabouts.includes(whereabouts),
  );
  if (row === undefined) throw new Error(`No route for ${token}, ${kind}, ${whereabouts}.`);
  const [place] = places;
  switch (row.way) {
    case 'ownEdge':
      return { kind: 'edge', address: facts.addresses.edge };
    case 'theirEdge':
      return {
        kind: 'edge',
        address: addressOf(place as Place, kind) as string,
        place: place as Place,
      };
    case 'general':
      return { kind: 'general', notices: notices(facts, token) };
    case 'oneAtATime':
      return { kind: 'refused', message: severalWords(facts.stored) };
    case 'noAddress':
      return { kind: 'refused', message: noAddressWords(facts.stored) };
  }
}

export function addressKind({ general, edge }: Addresses): AddressKind {
  if (general === HOSTED_GENERAL_URL) return 'hosted';
  return general === edge ? 'one' : 'pair';
}

function placesOf(stored: readonly Stored[]): readonly Place[] {
  return [...new Map(stored.map(({ place }) => [place.id, place])).values()];
}

function whereaboutsOf(places: readonly Place[], kind: AddressKind, own: string): Whereabouts {
  const [first, ...others] = places;
  if (first === undefined) return 'here';
  if (others.length > 0) return 'several';
  const address = addressOf(first, kind);
  // Use the edge address in the settings, because another service's records may lack addresses.
  if (address === undefined) return kind === 'hosted' ? 'unknown' : 'here';
  return address === own ? 'here' : 'elsewhere';
}

/** Returns an edge deployment's address, as recorded or known. */
function addressOf({ id, url }: Place, kind: AddressKind): string | undefined {
  if (url !== undefined) return url.replace(/\/+$/, '');
  return kind === 'hosted' ? EDGE_DEPLOYMENTS.find((edge) => edge.id === id)?.url : undefined;
}

/** Returns notices about data that leaves its region because it is sent through the general address. */
function notices(
  { operation, stored }: RouteFacts,
  token: 'api' | 'personal',
): readonly RouteNotice[] {
  return placesOf(stored)
    .filter(({ id }) => id !== DEFAULT_EDGE_DEPLOYMENT.id)
    .map(({ id, name }) => {
      const names = quoted(stored.filter(({ place }) => place.id === id));
      const why =
        token === 'personal'
          ? 'A personal token uses the general address. Use an API token to stay in the region.'
          : 'A query over several edge deployments uses the general address. Query them one by one to stay in the region.';
      const what =
        operation === 'query'
          ? `The result left ${name}, which stores ${names}.`
          : `The events were sent to ${names}, stored in ${name}, through another region.`;
      return { code: MESSAGE_CODES.leftRegion, priority: 'info', count: 1, msg: `${what} ${why}` };
    });
}

function severalWords(stored: readonly Stored[]): string {
  const parts = placesOf(stored).map(
    ({ id, name }) => `${quoted(stored.filter(({ place }) => place.id === id))} in ${name}`,
  );
  return `The datasets of the query are stored in different edge deployments: ${inWords(parts)}. A query can read one edge deployment only. Split the query.`;
}

function noAddressWords(stored: readonly Stored[]): string {
  const { place } = stored[0] as Stored;
  const verb = plural(stored.length, 'is', 'are');
  return `${quoted(stored)} ${verb} stored in the edge deployment ${place.name}, whose address is not known. Add a deployment to the settings whose edgeUrl is that address.`;
}

function quoted(stored: readonly Stored[]): string {
  return inWords(stored.map(({ dataset }) => `'${dataset}'`));
}

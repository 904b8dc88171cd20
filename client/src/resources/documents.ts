// Addresses of documents under the scheme aplomb: which deployment holds it, of which kind it is, its id, and
// whether the document itself or a piece of its APL is meant. No VS Code here, so that hostile names are tried
// in a test.

import type { AplLocation } from '../../../resources/src/aplLocations.ts';
import { isKind, type KindName } from '../../../resources/src/kinds.ts';
import type { Profile } from '../deployments/profiles.ts';
import { plainLine } from '../ui/plain.ts';

export const documentScheme = 'aplomb';

export type DocumentForm = 'json' | 'apl';

export interface DocumentAddress {
  readonly deployment: string;
  /** The address of a hosted deployment, so that another one of the same name later is not meant. */
  readonly host?: string;
  readonly kind: KindName;
  /** Empty for a draft, which the deployment does not have yet. */
  readonly id: string;
  /** Tells drafts apart. */
  readonly draft?: string;
  readonly form: DocumentForm;
  /** The key of the piece of APL; empty where there is only one. */
  readonly place?: string;
}

/** The parts of an address: the path ends in the name that a tab shows, the query identifies the resource. */
export interface AddressParts {
  readonly path: string;
  readonly query: string;
}

const NAME_CHARACTERS_MAX = 80;

/** Looks like a slash, and does not separate the parts of a path. */
const DIVISION_SLASH = '\u2215';

/** A name as a tab shows it; empty where nothing is left of it. Nothing is stored under this name. */
export function fileName(name: string): string {
  // VS Code names the file in its notifications.
  const line = plainLine(name.replace(/\p{Cc}+/gu, ' ').trim());
  return [...line].slice(0, NAME_CHARACTERS_MAX).join('').replaceAll('/', DIVISION_SLASH).trim();
}

/** The address of a document that a tab shows under `name`. */
export function documentParts(address: DocumentAddress, name: string): AddressParts {
  const { deployment, host, kind, id, draft, form, place } = address;
  const values = { deployment, host, kind, id, draft, form, place };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    path: `/${kind}/${fileName(name) || kind}.${form}`,
    query: new URLSearchParams(given as [string, string][]).toString(),
  };
}

/** What an address means; undefined if it is none of ours. */
export function readAddress(query: string): DocumentAddress | undefined {
  const values = new URLSearchParams(query);
  const [deployment, kind, id, form] = ['deployment', 'kind', 'id', 'form'].map((name) =>
    values.get(name),
  );
  const [host, draft, place] = ['host', 'draft', 'place'].map(
    (name) => values.get(name) ?? undefined,
  );
  if (!deployment || !kind || !isKind(kind) || (!id && !draft)) return undefined;
  if (form !== 'json' && form !== 'apl') return undefined;
  return {
    deployment,
    ...(host !== undefined && { host }),
    kind,
    id: id ?? '',
    ...(draft !== undefined && { draft }),
    form,
    ...(place !== undefined && { place }),
  };
}

/** What identifies a document of a deployment, whatever its form and name. */
export function identityOf({ deployment, host, kind, id, draft }: DocumentAddress): string {
  return JSON.stringify([deployment, host ?? '', kind, id, draft ?? '']);
}

/** The deployment as an address names it. */
export function whereOf(profile: Profile): Pick<DocumentAddress, 'deployment' | 'host'> {
  return profile.kind === 'local'
    ? { deployment: profile.name }
    : { deployment: profile.name, host: profile.general };
}

/** The name of the tab of a piece of APL. */
export function placeName(resource: string, { owner }: Pick<AplLocation, 'owner'>): string {
  return owner === '' ? resource : `${resource} · ${owner}`;
}

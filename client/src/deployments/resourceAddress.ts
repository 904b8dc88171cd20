// Addresses of documents with the scheme `aplomb`: a resource's deployment, kind and ID, and whether the document
// contains its JSON or a piece of its APL. Independent of VS Code, so that tests cover hostile names.

import type { AplLocation } from '../../../resources/src/aplLocations.ts';
import { isKind, type KindName } from '../../../resources/src/kinds.ts';
import { plainLine } from '../ui/plain.ts';
import type { Profile } from './profiles.ts';

export const documentScheme = 'aplomb';

export interface DocumentAddress {
  readonly deployment: string;
  /** The hosted deployment's address, which distinguishes it from a later deployment with the same name. */
  readonly host?: string;
  readonly kind: KindName;
  /** Empty for a draft, which isn't stored in the service. */
  readonly id: string;
  /** Distinguishes drafts, which have no ID. */
  readonly draft?: string;
  readonly form: 'json' | 'apl';
  /** The key of the document's piece of APL; empty if there is only one piece. */
  readonly place?: string;
}

const NAME_CHARACTERS_MAX = 80;

/** A character that resembles a slash but doesn't separate path segments. */
const DIVISION_SLASH = '\u2215';

/** Formats a resource's name as a file name. May return an empty string. */
export function fileName(name: string): string {
  const line = plainLine(name.replace(/\p{Cc}+/gu, ' ').trim());
  return [...line].slice(0, NAME_CHARACTERS_MAX).join('').replaceAll('/', DIVISION_SLASH).trim();
}

/** Returns a document's URI parts: a path that ends with the tab's name, and a query that identifies the resource. */
export function documentParts(address: DocumentAddress, name: string) {
  const { deployment, host, kind, id, draft, form, place } = address;
  const values = { deployment, host, kind, id, draft, form, place };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    path: `/${kind}/${fileName(name) || kind}.${form}`,
    query: new URLSearchParams(given as [string, string][]).toString(),
  };
}

/** Parses an address; undefined if it is invalid. */
export function readAddress(query: string): DocumentAddress | undefined {
  const values: Partial<Record<string, string>> = Object.fromEntries(new URLSearchParams(query));
  const { deployment, host, kind, id, draft, form, place } = values;
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

/** Returns a key that is the same for all documents of a resource. */
export function identityOf({ deployment, host, kind, id, draft }: DocumentAddress): string {
  return JSON.stringify([deployment, host ?? '', kind, id, draft ?? '']);
}

export function whereOf(profile: Profile): Pick<DocumentAddress, 'deployment' | 'host'> {
  return profile.kind === 'local'
    ? { deployment: profile.name }
    : { deployment: profile.name, host: profile.general };
}

export function placeName(resource: string, { owner }: Pick<AplLocation, 'owner'>): string {
  return owner === '' ? resource : `${resource} · ${owner}`;
}

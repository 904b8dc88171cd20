// Addresses of documents under the scheme aplomb: which deployment holds it, of which kind it is, its id,
// and whether the document itself or its query is meant. No VS Code here, so that hostile names are tried
// in a test.
import { isKind, type KindName } from '../../../resources/src/kinds.ts';
import type { Resource } from './resource.ts';

export const documentScheme = 'aplomb';

export type DocumentForm = 'json' | 'apl';

export interface DocumentAddress {
  readonly deployment: string;
  readonly kind: KindName;
  readonly id: string;
  readonly form: DocumentForm;
}

/** The parts of an address: the path ends in the name that a tab shows, the query tells what is meant. */
export interface AddressParts {
  readonly path: string;
  readonly query: string;
}

const NAME_CHARACTERS_MAX = 80;

/** Looks like a slash, and does not separate the parts of a path. */
const DIVISION_SLASH = '\u2215';

/** A name as a tab shows it; empty where nothing is left of it. Nothing is stored under this name. */
export function fileName(name: string): string {
  const line = name.replace(/\p{Cc}+/gu, ' ').trim();
  return [...line].slice(0, NAME_CHARACTERS_MAX).join('').replaceAll('/', DIVISION_SLASH).trim();
}

export function documentParts(
  deployment: string,
  resource: Resource,
  form: DocumentForm,
): AddressParts {
  const { kind, id } = resource;
  return {
    path: `/${kind}/${fileName(resource.name) || kind}.${form}`,
    query: new URLSearchParams({ deployment, kind, id, form }).toString(),
  };
}

/** What an address means; undefined if it is none of ours. */
export function readAddress(query: string): DocumentAddress | undefined {
  const values = new URLSearchParams(query);
  const [deployment, kind, id, form] = ['deployment', 'kind', 'id', 'form'].map((name) =>
    values.get(name),
  );
  if (!deployment || !kind || !id || !isKind(kind)) return undefined;
  if (form !== 'json' && form !== 'apl') return undefined;
  return { deployment, kind, id, form };
}

/** A query as a document: what it belongs to, then the text. */
export function queryDocument(noun: string, name: string, apl: string): string {
  const title = name.replace(/\s+/g, ' ').trim();
  return `// Query of the ${noun} ${title}\n${apl.trimEnd()}\n`;
}

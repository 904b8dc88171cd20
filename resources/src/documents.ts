// Converts resources to documents: JSON text that users edit and repositories store. Unknown members are kept, 64-bit
// integers keep their digits, members have a fixed order, and members set by the service are left out. Two texts
// therefore differ only if somebody changed something.
import { parseJson, stringifyJson } from '../../api/src/plain.ts';
import { jsonProblem } from './folder/jsonProblem.ts';
import { type KindName, kinds } from './kinds.ts';
import { isMembers, type Members, valueAt, without } from './value.ts';

/** Members that come first in every object, in this order. The others follow by name. */
const LEADING_MEMBERS = [
  'uid',
  'id',
  'i',
  'name',
  'title',
  'kind',
  'type',
  'description',
  'dataset',
];

/** Returns a record's document: the members users may change. */
export function documentOf(kind: KindName, record: Members): Members {
  return without(record, kinds[kind].setByService);
}

/** Formats a document: two spaces, ordered members, and a final newline. */
export function documentText(document: Members): string {
  return `${stringifyJson(sortMembers(document), 2)}\n`;
}

/** A document, or the problem in its text. */
export type ReadDocument =
  | { readonly ok: true; readonly document: Members }
  | { readonly ok: false; readonly problem: string };

export function readDocument(kind: KindName, text: string): ReadDocument {
  const json = text.replace(/^\uFEFF/, '');
  // The parser would accept duplicate names, keeping the last, and any depth.
  const broken = jsonProblem(json);
  if (broken !== undefined) {
    const before = json.slice(0, broken.offset);
    const line = before.split('\n').length;
    const column = broken.offset - before.lastIndexOf('\n');
    const problem = `The document is not valid JSON. Line ${line}, column ${column}: ${broken.message}`;
    return { ok: false, problem };
  }
  const value = parseJson(json);
  if (!isMembers(value)) {
    return { ok: false, problem: `A ${kinds[kind].noun} must be a JSON object.` };
  }
  const { listMember, noun } = kinds[kind];
  if (listMember !== undefined && !Array.isArray(value[listMember])) {
    return { ok: false, problem: `A ${noun} must have the array "${listMember}".` };
  }
  return { ok: true, document: value };
}

/** Returns the request body that creates a resource from a document. */
export function creationBody(kind: KindName, document: Members): unknown {
  return requestBody(kind, documentOf(kind, document));
}

/**
 * Returns the request body that changes the record `stored` to a document. The version is that of `stored`, so that the
 * service detects changes in between. Removed members are sent as cleared if the service would keep them.
 */
export function updateBody(kind: KindName, stored: Members, document: Members): unknown {
  const { version, cleared = {} } = kinds[kind];
  const gone = Object.entries(cleared).filter(
    ([name]) => Object.hasOwn(stored, name) && !Object.hasOwn(document, name),
  );
  const changed: Members = { ...documentOf(kind, document), ...Object.fromEntries(gone) };
  if (version === undefined || !Object.hasOwn(stored, version)) return requestBody(kind, changed);
  return { ...changed, [version]: stored[version] };
}

function requestBody(kind: KindName, document: Members): unknown {
  const { listMember } = kinds[kind];
  return listMember === undefined ? document : valueAt(document, [listMember]);
}

/** Returns a copy whose objects have ordered members. */
export function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  // Instances of classes represent other values and are kept unchanged.
  if (!isMembers(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const names = Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(names.map((name) => [name, sortMembers(value[name])]));
}

function rank(name: string): number {
  const at = LEADING_MEMBERS.indexOf(name);
  return at < 0 ? LEADING_MEMBERS.length : at;
}

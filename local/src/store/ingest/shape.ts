/**
 * Discovers the paths in events and the kinds of values at each path. DuckDB reports the structure. A second query
 * finds the kinds of numbers and mixed types.
 */
import type { Session } from '../../engines/duckdb/database/session.ts';
import { quoteText } from '../sql.ts';
import { kindOf } from './values.ts';

/** `integer` is exact in a double, and `long` only in 64 bits. Other numbers are `float`. */
export type Kind = 'string' | 'integer' | 'long' | 'float' | 'boolean' | 'array' | 'object';

export interface Shape {
  readonly kinds: ReadonlySet<Kind>;
  readonly children: ReadonlyMap<string, Shape>;
}

export type Path = readonly string[];

export function covers(shape: Shape, other: Shape): boolean {
  return (
    other.kinds.isSubsetOf(shape.kinds) &&
    [...other.children].every(([key, child]) => {
      const own = shape.children.get(key);
      return own !== undefined && covers(own, child);
    })
  );
}

export function mergeShapes(a: Shape, b: Shape): Shape {
  const children = new Map(a.children);
  for (const [key, child] of b.children) {
    const known = children.get(key);
    children.set(key, known === undefined ? child : mergeShapes(known, child));
  }
  return { kinds: a.kinds.union(b.kinds), children };
}

/** Returns a path as a JSON pointer, which is unambiguous for all keys. */
export function pointer(path: Path): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Returns a path in DuckDB's syntax: a JSON pointer, or quoted keys if a key is numeric, because a numeric key in a
 * pointer would also match an array index. Empty keys and keys with quotes, backslashes or wildcards require a pointer.
 */
export function locator(path: Path): string {
  const numbered = path.some((key) => /^\d+$/.test(key));
  const quotable = path.every((key) => /^[^"\\*]+$/.test(key));
  return numbered && quotable ? `$${path.map((key) => `."${key}"`).join('')}` : pointer(path);
}

/** A structure from `json_group_structure`: a type name, an array of one structure, or an object of structures. */
type Structure = string | readonly Structure[] | { readonly [key: string]: Structure };

// Maps a DuckDB type to the kind of its values (none for NULL). For unlisted types, a query finds the kinds.
const KIND_OF_TYPE: Readonly<Record<string, readonly Kind[]>> = {
  VARCHAR: ['string'],
  BOOLEAN: ['boolean'],
  NULL: [],
};

interface Draft {
  readonly path: Path;
  kinds: ReadonlySet<Kind>;
  readonly children: Map<string, Draft>;
}

/** Returns the shape of the events in a table. Paths in `maps` aren't expanded. */
export async function discoverShape(
  session: Session,
  table: string,
  maps: ReadonlySet<string>,
): Promise<Shape> {
  const root: Draft = { path: [], kinds: new Set(['object']), children: new Map() };
  let doubtful: Draft[] = [];
  draft(root, await structureAt(session, table, []), maps, doubtful);
  // A path with both objects and other values may have ambiguous members, which the next round examines.
  while (doubtful.length > 0) {
    const found = await kindsAt(session, table, doubtful);
    const next: Draft[] = [];
    for (const [index, node] of doubtful.entries()) {
      node.kinds = found[index]!;
      if (!node.kinds.has('object') || maps.has(node.path.join('.'))) continue;
      const structure = await structureAt(session, table, node.path);
      if (isMembers(structure)) draftMembers(node, structure, maps, next);
    }
    doubtful = next;
  }
  return root;
}

function isMembers(structure: Structure): structure is Readonly<Record<string, Structure>> {
  return typeof structure === 'object' && !Array.isArray(structure);
}

function draft(
  node: Draft,
  structure: Structure,
  maps: ReadonlySet<string>,
  doubtful: Draft[],
): void {
  if (typeof structure === 'string') {
    const kinds = KIND_OF_TYPE[structure];
    if (kinds === undefined) doubtful.push(node);
    else node.kinds = new Set(kinds);
  } else if (isMembers(structure)) {
    node.kinds = new Set(['object']);
    if (!maps.has(node.path.join('.'))) draftMembers(node, structure, maps, doubtful);
  } else {
    node.kinds = new Set(['array']);
  }
}

function draftMembers(
  node: Draft,
  members: Readonly<Record<string, Structure>>,
  maps: ReadonlySet<string>,
  doubtful: Draft[],
): void {
  for (const [key, structure] of Object.entries(members)) {
    const child: Draft = { path: [...node.path, key], kinds: new Set(), children: new Map() };
    node.children.set(key, child);
    draft(child, structure, maps, doubtful);
  }
}

// Returns the kinds of the values at each node's path. Queries the values, because DuckDB's type names don't show
// whether every double is exact, and because the type of mixed values is always `JSON`.
async function kindsAt(
  session: Session,
  table: string,
  nodes: readonly Draft[],
): Promise<Set<Kind>[]> {
  const paths = nodes.map((node) => quoteText(locator(node.path))).join(', ');
  const rows = await session.rows<[index: bigint, kind: Kind]>(
    `SELECT DISTINCT i, ${kindOf('x')} AS kind FROM (
       SELECT unnest(range(${nodes.length})) AS i,
         CAST(unnest(json_extract(json, [${paths}])) AS VARCHAR) AS x
       FROM ${table}
     ) WHERE kind IS NOT NULL`,
  );
  const kinds = nodes.map(() => new Set<Kind>());
  for (const [index, kind] of rows) kinds[Number(index)]!.add(kind);
  return kinds;
}

// Returns the structure of the objects at a path. Ignores values that aren't objects.
async function structureAt(session: Session, table: string, path: Path): Promise<Structure> {
  const value = path.length === 0 ? 'json' : `json_extract(json, ${quoteText(locator(path))})`;
  const [row] = await session.rows<[string | null]>(
    `SELECT CAST(json_group_structure(v) AS VARCHAR)
     FROM (SELECT ${value} AS v FROM ${table}) WHERE json_type(v) = 'OBJECT'`,
  );
  return JSON.parse(row?.[0] ?? '"NULL"') as Structure;
}

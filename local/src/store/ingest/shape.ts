/**
 * The shape of events: which paths there are and what kinds of values stand at each. DuckDB finds it
 * out; where it says only that values differ, it is asked again about that path.
 */
import type { Session } from '../duckdb.ts';
import { quoteText } from '../sql.ts';
import { kindOf } from './values.ts';

/**
 * What a value can be. An `integer` is exact in a double too, a `long` only in 64 bits; a number that
 * fits in neither is a `float`.
 */
export type Kind = 'string' | 'integer' | 'long' | 'float' | 'boolean' | 'array' | 'object';

export interface Shape {
  readonly kinds: ReadonlySet<Kind>;
  /** By key, the members of the objects seen here. */
  readonly children: ReadonlyMap<string, Shape>;
}

export type Path = readonly string[];

/** What either shape has. */
export function mergeShapes(a: Shape, b: Shape): Shape {
  const children = new Map(a.children);
  for (const [key, child] of b.children) {
    const known = children.get(key);
    children.set(key, known === undefined ? child : mergeShapes(known, child));
  }
  return { kinds: a.kinds.union(b.kinds), children };
}

/** A path as a JSON pointer, which names any key without doubt. */
export function pointer(path: Path): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * A path as DuckDB is asked for it. A pointer's number would also count into a list, where here it can
 * only be a key.
 */
export function locator(path: Path): string {
  const numbered = path.some((key) => /^\d+$/.test(key));
  const simple = path.every((key) => /^[\w -]+$/.test(key));
  return numbered && simple ? `$${path.map((key) => `."${key}"`).join('')}` : pointer(path);
}

/** What `json_group_structure` answers: a type's name, a list of one structure, or members. */
type Structure = string | readonly Structure[] | { readonly [key: string]: Structure };

// Types that leave no doubt about the kind.
const KIND_OF_TYPE: Readonly<Record<string, readonly Kind[]>> = {
  VARCHAR: ['string'],
  BOOLEAN: ['boolean'],
  NULL: [],
};

/**
 * The shape of the JSON values in `table` (column `json`), taken as objects; other values are passed
 * over. A path in `maps` is kept whole: its objects have no children here.
 */
export async function discoverShape(
  session: Session,
  table: string,
  maps: ReadonlySet<string>,
): Promise<Shape> {
  const structure = await structureAt(session, table, []);
  const children = await shapeOf(session, table, structure, [], maps);
  return { kinds: new Set(['object']), children: children.children };
}

async function shapeOf(
  session: Session,
  table: string,
  structure: Structure,
  path: Path,
  maps: ReadonlySet<string>,
): Promise<Shape> {
  if (typeof structure === 'string') {
    const kinds = KIND_OF_TYPE[structure];
    if (kinds !== undefined) return { kinds: new Set(kinds), children: new Map() };
    return doubtfulShape(session, table, path, maps);
  }
  if (Array.isArray(structure)) return { kinds: new Set(['array']), children: new Map() };
  if (maps.has(path.join('.'))) return { kinds: new Set(['object']), children: new Map() };
  const children = new Map<string, Shape>();
  for (const [key, child] of Object.entries(structure)) {
    children.set(key, await shapeOf(session, table, child, [...path, key], maps));
  }
  return { kinds: new Set(['object']), children };
}

// Numbers may or may not fit, and values of several types are named only `JSON`.
async function doubtfulShape(
  session: Session,
  table: string,
  path: Path,
  maps: ReadonlySet<string>,
): Promise<Shape> {
  const value = `CAST(json_extract(json, ${quoteText(locator(path))}) AS VARCHAR)`;
  const found = await session.rows<[Kind | null]>(
    `SELECT DISTINCT ${kindOf('v')} FROM (SELECT ${value} AS v FROM ${table})`,
  );
  const kinds = new Set(found.flatMap(([kind]) => (kind === null ? [] : [kind])));
  if (!kinds.has('object') || maps.has(path.join('.'))) return { kinds, children: new Map() };
  const structure = await structureAt(session, table, path);
  if (typeof structure === 'string' || Array.isArray(structure)) {
    return { kinds, children: new Map() };
  }
  const { children } = await shapeOf(session, table, structure, path, maps);
  return { kinds, children };
}

// The structure of the objects at a path, and of nothing else that stands there.
async function structureAt(session: Session, table: string, path: Path): Promise<Structure> {
  const value = path.length === 0 ? 'json' : `json_extract(json, ${quoteText(locator(path))})`;
  const [row] = await session.rows<[string | null]>(
    `SELECT CAST(json_group_structure(v) AS VARCHAR)
     FROM (SELECT ${value} AS v FROM ${table}) WHERE json_type(v) = 'OBJECT'`,
  );
  return JSON.parse(row?.[0] ?? '"NULL"') as Structure;
}

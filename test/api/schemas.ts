// Walks a schema and a value together, for tests of every declared member.
import type { TSchema } from '../../api/src/index.ts';

export interface Node {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node;
  readonly items?: Node;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** A declared member: its schema and its path in a sample. */
export interface Place {
  readonly node: Node;
  readonly segments: readonly string[];
}

/** Returns every part of a value that the schema declares, starting with the value itself. */
export function placesOf(schema: TSchema, value: unknown): Place[] {
  const places: Place[] = [];
  const visit = (node: Node, at: unknown, segments: readonly string[]) => {
    places.push({ node, segments });
    if (typeof at !== 'object' || at === null) return;
    for (const [name, member] of Object.entries(at)) {
      const inner = Array.isArray(at)
        ? node.items
        : (node.properties?.[name] ?? node.additionalProperties);
      if (inner !== undefined) visit(inner, member, [...segments, name]);
    }
  };
  visit(schema as Node, value, []);
  return places;
}

/** Returns the paths of declared members that a value lacks. */
export function lackingIn(schema: TSchema, value: unknown): string[] {
  const lacking: string[] = [];
  for (const { node, segments } of placesOf(schema, value)) {
    const at = segments.reduce<unknown>((v, name) => (v as Record<string, unknown>)[name], value);
    if (typeof at !== 'object' || at === null) continue;
    for (const name of Object.keys(node.properties ?? {})) {
      if (!Object.hasOwn(at, name)) lacking.push([...segments, name].join('.'));
    }
  }
  return lacking;
}

export function pointerOf(segments: readonly string[]): string {
  return segments.map((s) => `/${s.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Sets the value at a path, or removes it if `value` is undefined. */
export function put(whole: unknown, segments: readonly string[], value: unknown): unknown {
  if (segments.length === 0) return value;
  const owner = segments
    .slice(0, -1)
    .reduce<unknown>((v, name) => (v as Record<string, unknown>)[name], whole) as Record<
    string,
    unknown
  >;
  const last = segments.at(-1)!;
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return whole;
}

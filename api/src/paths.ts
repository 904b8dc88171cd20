// Builds endpoint paths for the client, and finds endpoints by path for the local deployment. If a parameter's value
// equals a literal in another template, the path matches that template instead.
import {
  type EndpointKey,
  type EndpointRow,
  endpointKeys,
  endpointRow,
  type Method,
  type PathParams,
} from './endpoints.ts';

export type PathMatch =
  | {
      readonly kind: 'found';
      readonly key: EndpointKey;
      readonly row: EndpointRow;
      /** The decoded path parameters. */
      readonly params: Readonly<Record<string, string>>;
    }
  /** The path has other methods (405). */
  | { readonly kind: 'method'; readonly allowed: readonly Method[] }
  /** A parameter isn't validly percent-encoded (400). */
  | { readonly kind: 'malformed'; readonly segment: string }
  /** No endpoint has this path (404). */
  | { readonly kind: 'none' };

/**
 * Builds an endpoint's path, with percent-encoded parameters. Throws a RangeError that names a parameter if its value
 * is empty, has lone surrogates, or is `.` or `..`, which URL parsers remove even if encoded.
 */
export function buildPath<K extends EndpointKey>(key: K, params: PathParams<K>): string {
  const values: Readonly<Record<string, string>> = params;
  return endpointRow(key).path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeSegment(name, Object.hasOwn(values, name) ? values[name] : undefined),
  );
}

function encodeSegment(name: string, value: string | undefined): string {
  if (value === undefined || value === '') {
    throw new RangeError(`${name} must not be empty`);
  }
  if (value === '.' || value === '..') {
    throw new RangeError(`${name} must not be "${value}", because URL parsers drop it`);
  }
  try {
    return encodeURIComponent(value);
  } catch {
    throw new RangeError(`${name} is not well-formed: it has an unpaired surrogate`);
  }
}

// A node in the trie of path templates. A literal segment takes precedence over a parameter. If the matching template
// lacks the method, more general templates aren't tried.
interface Route {
  readonly literals: Map<string, Route>;
  parameter: Route | undefined;
  readonly methods: Map<Method, { key: EndpointKey; names: readonly string[] }>;
}

let root: Route | undefined;

/**
 * Finds the endpoint for a method and a percent-encoded path without a query string. Never throws. An empty segment,
 * for example after a trailing `/`, matches only an empty segment of a template.
 */
export function matchPath(method: string, path: string): PathMatch {
  root ??= buildRoutes();
  if (!path.startsWith('/')) return { kind: 'none' };
  const segments = path.slice(1).split('/', SEGMENTS_MAX);
  const captured: string[] = [];
  const route = walk(root, segments, 0, captured);
  if (route === undefined) return { kind: 'none' };
  const target = route.methods.get(method as Method);
  if (target === undefined) return { kind: 'method', allowed: [...route.methods.keys()] };
  const params: Record<string, string> = {};
  for (const [index, name] of target.names.entries()) {
    const segment = captured[index]!;
    const value = decodeSegment(segment);
    if (value === undefined) return { kind: 'malformed', segment };
    params[name] = value;
  }
  return { kind: 'found', key: target.key, row: endpointRow(target.key), params };
}

// All templates are shorter, so a longer path matches none of them.
const SEGMENTS_MAX = 16;

function walk(
  route: Route,
  segments: readonly string[],
  index: number,
  captured: string[],
): Route | undefined {
  const segment = segments[index];
  if (segment === undefined) return route.methods.size > 0 ? route : undefined;
  const literal = route.literals.get(segment);
  if (literal !== undefined) {
    const found = walk(literal, segments, index + 1, captured);
    if (found !== undefined) return found;
  }
  if (route.parameter === undefined || segment === '') return undefined;
  captured.push(segment);
  const found = walk(route.parameter, segments, index + 1, captured);
  if (found === undefined) captured.pop();
  return found;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function emptyRoute(): Route {
  return { literals: new Map(), parameter: undefined, methods: new Map() };
}

function buildRoutes(): Route {
  const start = emptyRoute();
  for (const key of endpointKeys) {
    const row = endpointRow(key);
    const names: string[] = [];
    let route = start;
    for (const segment of row.path.slice(1).split('/')) {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      if (name !== undefined) {
        names.push(name);
        route.parameter ??= emptyRoute();
        route = route.parameter;
      } else {
        let next = route.literals.get(segment);
        if (next === undefined) {
          next = emptyRoute();
          route.literals.set(segment, next);
        }
        route = next;
      }
    }
    route.methods.set(row.method, { key, names });
  }
  return start;
}

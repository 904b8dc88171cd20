// Paths from rows and rows from paths: the client builds, the local deployment matches. Both use the
// same templates, so an address one makes is an address the other knows.
import {
  type EndpointKey,
  type EndpointRow,
  endpointKeys,
  endpointRow,
  type Method,
  type PathParams,
} from './endpoints.ts';

/** What a path leads to. */
export type PathMatch =
  | {
      readonly kind: 'found';
      readonly key: EndpointKey;
      readonly row: EndpointRow;
      /** The decoded parameters, by name. */
      readonly params: Readonly<Record<string, string>>;
    }
  /** The path exists, the method does not (405). */
  | { readonly kind: 'method'; readonly allowed: readonly Method[] }
  /** A parameter is not valid percent-encoding (400). */
  | { readonly kind: 'malformed'; readonly segment: string }
  /** No endpoint has this path (404). */
  | { readonly kind: 'none' };

/**
 * The path of an endpoint with its parameters filled in, percent-encoded. Throws a RangeError that
 * names the parameter if it is empty, `.` or `..` (address parsers drop those segments, encoded or
 * not, so the request would go elsewhere), or not well-formed text.
 */
export function buildPath<K extends EndpointKey>(key: K, params: PathParams<K>): string {
  const values: Readonly<Record<string, string>> = params;
  return endpointRow(key).path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeSegment(name, Object.hasOwn(values, name) ? values[name] : undefined),
  );
}

function encodeSegment(name: string, value: string | undefined): string {
  if (value === undefined || value === '') {
    throw new RangeError(`${name} is empty; a path needs a value for it`);
  }
  if (value === '.' || value === '..') {
    throw new RangeError(`${name} cannot be "${value}"; a path would drop it`);
  }
  try {
    return encodeURIComponent(value);
  } catch {
    throw new RangeError(`${name} is not well-formed text; a surrogate stands alone in it`);
  }
}

// Templates that share a path are one route with several methods. At each segment a fixed word wins
// over a parameter; the parameter is tried only where the word leads to no template at all, so a
// method that the more particular path lacks is not looked for in the more general one.
interface Route {
  readonly literals: Map<string, Route>;
  parameter: Route | undefined;
  readonly methods: Map<Method, { key: EndpointKey; names: readonly string[] }>;
}

let root: Route | undefined;

/**
 * The endpoint that serves a method and a raw path: still percent-encoded, without query string.
 * Never throws. An empty segment, such as after a `/` at the end, is known only where the row has one.
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

// More than any template has, so that a path of a million segments is cut and still leads nowhere.
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

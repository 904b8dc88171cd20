// The shape of an endpoint's row, and the functions that build rows of the usual kinds.
import type { TokenKind } from '../auth.ts';
import { ApiError } from '../resources.ts';
import { list, object, type TObject, type TSchema } from '../schema.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The general address of the service, or the address of one edge deployment. */
export type Host = 'general' | 'edge';

/** A path with its parameters in braces. */
export type Path = `/${string}`;

/** The shape of a row. In `endpoints`, each row keeps its exact type. */
export interface EndpointRow {
  /** One-sentence description of the endpoint. */
  readonly summary: string;
  readonly method: Method;
  readonly path: Path;
  readonly host: Host;
  /** The accepted kinds of token. */
  readonly tokens: readonly TokenKind[];
  /**
   * The capability a token needs, as resource:action; absent if any token will do. The service does not publish the
   * capabilities for dashboards and for changes to an organization.
   */
  readonly capability?: string;
  /** The access limits in addition to the capability. */
  readonly scope: Scope;
  /** Whether the specification describes the endpoint. */
  readonly inSpec: boolean;
  /** Constraints on path parameters. A parameter without one must only be non-empty. */
  readonly params?: TObject;
  readonly query: TObject;
  /** The endpoint's own headers, by their lower-case names. */
  readonly headers: TObject;
  /** The content of the body: JSON that `body` describes, raw bytes, or nothing. */
  readonly content: 'json' | 'bytes' | 'none';
  readonly contentTypes: readonly string[];
  readonly body?: TSchema;
  /** The success statuses. */
  readonly status: readonly number[];
  /** The content of the response: JSON that `response` describes, an event stream, or nothing. */
  readonly reply: 'json' | 'events' | 'none';
  readonly response?: TSchema;
  /** The body of an error response. */
  readonly error: TSchema;
}

/** A kind of document that is about datasets. */
export type ScopedDocument = 'monitor' | 'view' | 'annotation' | 'saved query' | 'virtual field';

/**
 * Limits a request to certain datasets, documents or capabilities, in addition to the capability of its row, and names
 * the license limits that it counts against. The local deployment enforces all of them outside the handlers.
 */
export interface Scope {
  /** The location of the dataset name in the request, and the capability that the token needs on the dataset. */
  readonly dataset?: {
    readonly in: 'path' | 'query' | 'header';
    readonly need: string;
    /** A capability in the organization that the token may have instead of `need`. */
    readonly or?: string;
  };
  /** The kind of the document that the path names by `id`. */
  readonly document?: ScopedDocument;
  /** The kind of the document in the body. The token must have access to every dataset that the document uses. */
  readonly writes?: ScopedDocument;
  /**
   * The source of the capabilities that the request grants. The token must have these capabilities itself. They are in
   * the body, in the named role or roles, in the roles that a user gains and loses, or in a regenerated token and its
   * replacement.
   */
  readonly grants?: 'body' | 'role' | 'roles' | 'change of role' | 'token';
  /** The license limit that a created record counts against. */
  readonly creates?: 'maxDatasets' | 'maxMonitors' | 'maxUsers';
  /**
   * Whether `datasets:read` in the organization lists all datasets. Otherwise only the datasets that the token may
   * query are listed.
   */
  readonly listsDatasets?: true;
  /** Whether stored bytes count against the monthly ingest limit of the license. */
  readonly meters?: true;
  /** Whether the handler converts the body to events. */
  readonly converts?: true;
}

/** No limits beyond the capability. */
export const unrestricted = {} as const satisfies Scope;

const noParameters = object({});

/** Members of edge endpoints that override the defaults. */
export const edge = { host: 'edge', tokens: ['api'] } as const;
/** Marks a row that the specification describes. */
export const spec = { inSpec: true } as const;
/** Members of a row that accepts only personal tokens. */
export const personal = { tokens: ['personal'] } as const;

const defaults = {
  host: 'general',
  tokens: ['api', 'personal'],
  inSpec: false,
  query: noParameters,
  headers: noParameters,
  error: ApiError,
} as const;
const noBody = { content: 'none', contentTypes: [] } as const;
/** Members of a row with a JSON body. */
export const json = { content: 'json', contentTypes: ['application/json'] } as const;
const ok = { status: [200], reply: 'json' } as const;
const noReply = { status: [204], reply: 'none' } as const;

/** `Base` with members overridden by those of `More`. */
type Override<Base, More> = {
  [K in keyof Base | keyof More]: K extends keyof More
    ? More[K]
    : K extends keyof Base
      ? Base[K]
      : never;
};

type Unchanged = Readonly<Record<never, never>>;

/** Members that differ from the defaults. `scope` is required, so that no row is unrestricted by omission. */
type RowOverrides = Partial<EndpointRow> & { readonly scope: Scope };

const override = <Base, More>(base: Base, more: More) =>
  ({ ...base, ...more }) as Override<Base, More>;

/** Builds the row of a GET request. */
export const get = <const P extends Path, R extends TSchema, const M extends RowOverrides>(
  path: P,
  summary: string,
  response: R,
  more: M,
) =>
  override(
    { ...defaults, ...noBody, ...ok, method: 'GET', path, summary, response } as const,
    more,
  );

/** Returns the function that builds the row of a request with a JSON body. */
const withBody =
  <const Name extends Method>(method: Name) =>
  <const P extends Path, B extends TSchema, R extends TSchema, const M extends RowOverrides>(
    path: P,
    summary: string,
    body: B,
    response: R,
    more: M,
  ) =>
    override({ ...defaults, ...json, ...ok, method, path, summary, body, response } as const, more);

export const post = withBody('POST');
export const put = withBody('PUT');

/** Builds the row of a DELETE request. */
export const del = <const P extends Path, const M extends RowOverrides>(
  path: P,
  summary: string,
  more: M,
) =>
  override({ ...defaults, ...noBody, ...noReply, method: 'DELETE', path, summary } as const, more);

/** Builds the row of a POST request without a JSON response. By default it has no body and status 204. */
export const action = <const P extends Path, const M extends RowOverrides>(
  path: P,
  summary: string,
  more: M,
) => override({ ...defaults, ...noBody, ...noReply, method: 'POST', path, summary } as const, more);

/** Builds the row of a POST request that sends bytes. */
export const send = <const P extends Path, R extends TSchema, const M extends RowOverrides>(
  path: P,
  summary: string,
  response: R,
  more: M,
) =>
  override(
    { ...defaults, ...ok, method: 'POST', content: 'bytes', path, summary, response } as const,
    more,
  );

/** Builds the row of another path to the same endpoint. */
export const aliasAt = <
  Base,
  const P extends Path,
  const M extends Partial<EndpointRow> = Unchanged,
>(
  base: Base,
  path: P,
  summary: string,
  more: M = {} as M,
) => override(override(base, { path, summary } as const), more);

type OlderPath<P extends string> = P extends `/v2/${infer Rest}` ? `/v1/${Rest}` : never;

/** Builds the row of the path with version 1 to an endpoint of version 2. */
export const olderPath = <
  Base extends { readonly path: string; readonly summary: string },
  const M extends Partial<EndpointRow> = Unchanged,
>(
  base: Base,
  more: M = {} as M,
) =>
  aliasAt(
    base,
    base.path.replace('/v2/', '/v1/') as OlderPath<Base['path']>,
    `${base.summary.slice(0, -1)}, by the older path.`,
    more,
  );

interface ResourceOptions<Update> {
  /** Absent if the documents are not about datasets. */
  readonly document?: ScopedDocument;
  /** The body of an update if it differs from that of a creation. */
  readonly update?: Update;
}

/**
 * Builds the rows of the five endpoints of a resource, at `path` and `path/{id}`. `capability` is the resource's name
 * in capabilities. In the returned functions, `more` overrides members of the row.
 */
export function resource<
  const P extends string,
  Item extends TSchema,
  New extends TSchema,
  Update extends TSchema = New,
>(
  path: `/${P}`,
  capability: string,
  record: Item,
  write: New,
  { document, update = write as never }: ResourceOptions<Update> = {},
) {
  const item: `/${P}/{id}` = `${path}/{id}`;
  const named: Scope = document === undefined ? unrestricted : { document };
  const written: Scope = document === undefined ? unrestricted : { writes: document };
  const requires = (action: string, scope: Scope) => ({
    capability: `${capability}:${action}`,
    scope,
  });
  type Changes = Partial<EndpointRow>;
  return {
    list: <const M extends Changes = Unchanged>(summary: string, more: M = {} as M) =>
      override(get(path, summary, list(record), requires('read', unrestricted)), more),
    create: <const M extends Changes = Unchanged>(summary: string, more: M = {} as M) =>
      override(post(path, summary, write, record, requires('create', written)), more),
    get: <const M extends Changes = Unchanged>(summary: string, more: M = {} as M) =>
      override(get(item, summary, record, requires('read', named)), more),
    update: <const M extends Changes = Unchanged>(summary: string, more: M = {} as M) =>
      override(
        put(item, summary, update, record, requires('update', { ...named, ...written })),
        more,
      ),
    delete: <const M extends Changes = Unchanged>(summary: string, more: M = {} as M) =>
      override(del(item, summary, requires('delete', named)), more),
  };
}

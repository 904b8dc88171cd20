// Defines the type of endpoint definitions, and functions that create the common kinds of endpoints.
import type { TokenKind } from '../auth.ts';
import { ApiError } from '../resources.ts';
import { list, object, type TObject, type TSchema } from '../schema.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The service's general API host, or the host of an edge deployment. */
export type Host = 'general' | 'edge';

/** A path template. Names in braces are parameters. */
export type Path = `/${string}`;

/** The general type of a definition. The constants in `endpoints` have more exact types. */
export interface EndpointRow {
  readonly summary: string;
  readonly method: Method;
  readonly path: Path;
  readonly host: Host;
  readonly tokens: readonly TokenKind[];
  /**
   * The required capability, as `resource:action`. Absent if any token may be used. The service does not publish the
   * capabilities for dashboards and for changing organizations.
   */
  readonly capability?: string;
  readonly scope: Scope;
  readonly inSpec: boolean;
  /** Parameters that are not in the schema may be any non-empty strings. */
  readonly params?: TObject;
  readonly query: TObject;
  /** The headers that only this endpoint has. Names are in lower case. */
  readonly headers: TObject;
  /** The kind of the request's body. The schema `body` describes a `json` body. */
  readonly content: 'json' | 'bytes' | 'none';
  readonly contentTypes: readonly string[];
  readonly body?: TSchema;
  readonly status: readonly number[];
  /** The kind of the response's body. The schema `response` describes a `json` body. */
  readonly reply: 'json' | 'events' | 'none';
  readonly response?: TSchema;
  readonly error: TSchema;
}

export type ScopedDocument = 'monitor' | 'view' | 'annotation' | 'saved query' | 'virtual field';

/**
 * The access and the license limits that a request needs, in addition to the endpoint's `capability`. The local
 * deployment checks them before it calls a handler.
 */
export interface Scope {
  /** The location of the dataset's name, and the capability required on that dataset. */
  readonly dataset?: {
    readonly in: 'path' | 'query' | 'header';
    readonly need: string;
    /** A capability in the organization that suffices instead. */
    readonly or?: string;
  };
  /** The kind of the document that the path parameter `id` names. */
  readonly document?: ScopedDocument;
  /** The kind of the document in the body. The token needs access to all datasets that the document uses. */
  readonly writes?: ScopedDocument;
  /**
   * The source of the capabilities that the request grants. The token must have these capabilities itself. For `change
   * of role`, they include the role that the user loses.
   */
  readonly grants?: 'body' | 'role' | 'roles' | 'change of role' | 'token';
  /** The license limit on the number of created records. */
  readonly creates?: 'maxDatasets' | 'maxMonitors' | 'maxUsers';
  /**
   * Whether `datasets:read` in the organization gives access to a list of all datasets. Other tokens get only the
   * datasets that they may query.
   */
  readonly listsDatasets?: true;
  /** Whether the stored bytes count toward the monthly ingest limit. */
  readonly meters?: true;
  /** Whether the handler must convert the body to events. */
  readonly converts?: true;
}

export const unrestricted = {} as const satisfies Scope;

const noParameters = object({});

export const edge = { host: 'edge', tokens: ['api'] } as const;
export const spec = { inSpec: true } as const;
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
export const json = { content: 'json', contentTypes: ['application/json'] } as const;
const ok = { status: [200], reply: 'json' } as const;
const noReply = { status: [204], reply: 'none' } as const;

type Override<Base, More> = {
  [K in keyof Base | keyof More]: K extends keyof More
    ? More[K]
    : K extends keyof Base
      ? Base[K]
      : never;
};

type Unchanged = Readonly<Record<never, never>>;

/** `scope` is required, so that no endpoint is unrestricted by accident. */
type RowOverrides = Partial<EndpointRow> & { readonly scope: Scope };

const override = <Base, More>(base: Base, more: More) =>
  ({ ...base, ...more }) as Override<Base, More>;

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

export const del = <const P extends Path, const M extends RowOverrides>(
  path: P,
  summary: string,
  more: M,
) =>
  override({ ...defaults, ...noBody, ...noReply, method: 'DELETE', path, summary } as const, more);

/** Defines a POST endpoint without a JSON response. The defaults are no body and the status 204. */
export const action = <const P extends Path, const M extends RowOverrides>(
  path: P,
  summary: string,
  more: M,
) => override({ ...defaults, ...noBody, ...noReply, method: 'POST', path, summary } as const, more);

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

/** Defines an additional path for an existing endpoint. */
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

/** Defines an additional `/v1/` path for the endpoint `base`, which has a `/v2/` path. */
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
  /** Absent if the documents don't use datasets. */
  readonly document?: ScopedDocument;
  /** Present if an update's body differs from a creation's body. */
  readonly update?: Update;
}

/**
 * Returns functions that define a resource's five endpoints, at `path` and `path/{id}`. `capability` is the resource's
 * name in capabilities. The argument `more` overrides an endpoint's properties.
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

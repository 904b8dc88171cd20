// Defines the type of endpoint definitions, and functions that create the common kinds of endpoints.
import type { TokenKind } from '../auth.ts';
import { ApiError } from '../resources.ts';
import { list, object, type TObject, type TSchema } from '../schema.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The host that serves an endpoint: the service's general host, or the host of an edge deployment. */
export type Host = 'general' | 'edge';

/** A path template, in which names in braces are parameters. */
export type Path = `/${string}`;

/** An endpoint's definition. The endpoints in `endpoints` have more exact types. */
export interface EndpointRow {
  /** One-sentence description of the endpoint. */
  readonly summary: string;
  readonly method: Method;
  readonly path: Path;
  readonly host: Host;
  /** The kinds of tokens that the endpoint accepts. */
  readonly tokens: readonly TokenKind[];
  /**
   * The capability that a token needs, as `resource:action`; absent if any token may be used. The service does not
   * publish the capabilities for dashboards and for changing organizations.
   */
  readonly capability?: string;
  /** Further restrictions, in addition to the capability. */
  readonly scope: Scope;
  /** Whether the spec describes the endpoint. */
  readonly inSpec: boolean;
  /** Schema of the path parameters. Parameters that are not in the schema may be any non-empty strings. */
  readonly params?: TObject;
  readonly query: TObject;
  /** Schema of the headers that only this endpoint has. Names are in lower case. */
  readonly headers: TObject;
  /** The content of the request body: JSON as described by `body`, raw bytes, or nothing. */
  readonly content: 'json' | 'bytes' | 'none';
  readonly contentTypes: readonly string[];
  readonly body?: TSchema;
  /** The statuses of successful responses. */
  readonly status: readonly number[];
  /** The content of the response: JSON as described by `response`, an event stream, or nothing. */
  readonly reply: 'json' | 'events' | 'none';
  readonly response?: TSchema;
  /** Schema of the body of error responses. */
  readonly error: TSchema;
}

/** A kind of document that is about datasets. */
export type ScopedDocument = 'monitor' | 'view' | 'annotation' | 'saved query' | 'virtual field';

/**
 * Restricts a request to certain datasets, documents or capabilities, in addition to the endpoint's `capability`. Also
 * names the license limits that apply. The local deployment enforces all of this before it calls a handler.
 */
export interface Scope {
  /** The location of the dataset's name in the request, and the capability that the token needs on that dataset. */
  readonly dataset?: {
    readonly in: 'path' | 'query' | 'header';
    readonly need: string;
    /** A capability in the organization that suffices instead of `need`. */
    readonly or?: string;
  };
  /** The kind of the document that the path parameter `id` names. */
  readonly document?: ScopedDocument;
  /** The kind of the document in the body. The token must have access to all datasets that the document uses. */
  readonly writes?: ScopedDocument;
  /**
   * Source of the capabilities that the request grants: the body, the role or roles that the body names, the roles that
   * a user gains and loses, or a regenerated token and its replacement. The token must have these capabilities itself.
   */
  readonly grants?: 'body' | 'role' | 'roles' | 'change of role' | 'token';
  /** The license limit that restricts the number of created records. */
  readonly creates?: 'maxDatasets' | 'maxMonitors' | 'maxUsers';
  /**
   * Whether a token with `datasets:read` in the organization gets a list of all datasets. Other tokens get a list of
   * only the datasets that they may query.
   */
  readonly listsDatasets?: true;
  /** Whether the stored bytes count toward the license's monthly ingest limit. */
  readonly meters?: true;
  /** Whether the body doesn't contain events, so that the handler must convert it to events. */
  readonly converts?: true;
}

/** A scope without restrictions. */
export const unrestricted = {} as const satisfies Scope;

const noParameters = object({});

/** Properties of endpoints that edge deployments serve. */
export const edge = { host: 'edge', tokens: ['api'] } as const;
/** Property of endpoints that the spec describes. */
export const spec = { inSpec: true } as const;
/** Property of endpoints that accept only personal tokens. */
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
/** Properties of endpoints with a JSON body. */
export const json = { content: 'json', contentTypes: ['application/json'] } as const;
const ok = { status: [200], reply: 'json' } as const;
const noReply = { status: [204], reply: 'none' } as const;

/** The type `Base`, with the properties of `More` added or replacing those with the same name. */
type Override<Base, More> = {
  [K in keyof Base | keyof More]: K extends keyof More
    ? More[K]
    : K extends keyof Base
      ? Base[K]
      : never;
};

type Unchanged = Readonly<Record<never, never>>;

/** Properties that replace the defaults. `scope` is required, so that no endpoint is unrestricted by accident. */
type RowOverrides = Partial<EndpointRow> & { readonly scope: Scope };

const override = <Base, More>(base: Base, more: More) =>
  ({ ...base, ...more }) as Override<Base, More>;

/** Defines a GET endpoint. */
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

/** Returns a function that defines endpoints with a JSON body. */
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

/** Defines a DELETE endpoint. */
export const del = <const P extends Path, const M extends RowOverrides>(
  path: P,
  summary: string,
  more: M,
) =>
  override({ ...defaults, ...noBody, ...noReply, method: 'DELETE', path, summary } as const, more);

/** Defines a POST endpoint without a JSON response. By default, it has no body and the status 204. */
export const action = <const P extends Path, const M extends RowOverrides>(
  path: P,
  summary: string,
  more: M,
) => override({ ...defaults, ...noBody, ...noReply, method: 'POST', path, summary } as const, more);

/** Defines a POST endpoint whose body is bytes. */
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

/** Defines an endpoint's older `/v1/` path. The path in `base` begins with `/v2/`. */
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
  /** The kind of the documents. Absent if they don't use datasets. */
  readonly document?: ScopedDocument;
  /** Schema of the body of an update, if it differs from the body of a creation. */
  readonly update?: Update;
}

/**
 * Returns functions that define a resource's five endpoints, at `path` and `path/{id}`. The argument `more` of each
 * function overrides the endpoint's properties. `capability` is the resource's name in capabilities.
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

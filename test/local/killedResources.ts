// Writers of tokens, roles, groups, monitors, views and dashboards for processes that are killed.
// Each remembers its acknowledged and its pending change, and after a kill only one of the two
// states may exist.
import assert from 'node:assert/strict';
import { type Address, send } from './killing.ts';

type Body = Readonly<Record<string, unknown>>;

interface Kind {
  readonly collection: string;
  /** The path prefix of a resource, followed by the identifier in `key`. */
  readonly item: string;
  readonly key: 'id' | 'name' | 'uid';
  /** Returns the body for a version of the resource with this name. */
  readonly body: (name: string, version: number) => Body;
  /** Returns the part of a response or list item that contains the members of the body. */
  readonly stored?: (body: Body) => Body;
}

const resourceKinds: readonly Kind[] = [
  {
    collection: '/v2/monitors',
    item: '/v2/monitors/',
    key: 'id',
    body: (name, version) => ({
      name,
      type: 'Threshold',
      aplQuery: `['small'] | where request == ${version} | count`,
      threshold: version,
      intervalMinutes: 1 + version,
    }),
  },
  {
    collection: '/v2/views',
    item: '/v2/views/',
    key: 'name',
    body: (name, version) => ({ name, aplQuery: `['small'] | where request == ${version}` }),
  },
  {
    collection: '/v2/dashboards',
    item: '/v2/dashboards/uid/',
    key: 'uid',
    body: (name, version) => ({
      uid: name,
      overwrite: true,
      dashboard: {
        name,
        description: 'x'.repeat(1 + version * 100),
        charts: [{ id: 'a', type: 'TimeSeries', query: { apl: `['small'] | take ${version}` } }],
      },
    }),
    stored: ({ dashboard }) => dashboard as Body,
  },
  {
    collection: '/v2/rbac/roles',
    item: '/v2/rbac/roles/',
    key: 'id',
    body: (name, version) => ({
      name,
      datasetCapabilities: { [`dataset-${version}`]: { query: ['read'] } },
      orgCapabilities: { monitors: version % 2 === 0 ? ['read'] : ['read', 'create'] },
    }),
  },
  {
    collection: '/v2/rbac/groups',
    item: '/v2/rbac/groups/',
    key: 'id',
    body: (name, version) => ({
      name,
      description: `${version}`,
      members: version % 2 === 0 ? ['local-user'] : [],
      roles: ['none'],
    }),
  },
];

/**
 * The number of resources of a kind that exist at a time, small so that changes and deletions are
 * as frequent as creations.
 */
const ALIVE = 6;

/** A version, or undefined if deleted or not yet created. */
type State = number | undefined;

interface Resource {
  readonly name: string;
  /** The identifier in the path, once known. */
  path?: string;
  /** The possible states: the acknowledged one, and those sent after it. */
  states: State[];
}

/** The resources of one kind through all kills of a data folder. */
class ResourceWriter {
  readonly #kind: Kind;
  readonly #resources = new Map<string, Resource>();
  readonly #random: () => number;
  #made = 0;

  constructor(kind: Kind, random: () => number) {
    this.#kind = kind;
    this.#random = random;
  }

  /**
   * Creates, changes and deletes resources until the process has ended. Returns the number of
   * acknowledged changes.
   */
  async write(address: Address): Promise<number> {
    for (let count = 0; ; count += 1) if (!(await this.#step(address))) return count;
  }

  async #step(address: Address): Promise<boolean> {
    const { collection, item, key, body, stored } = this.#kind;
    const alive = [...this.#resources.values()].filter(({ path }) => path !== undefined);
    if (alive.length < ALIVE) {
      this.#made += 1;
      const name = `${collection.split('/').at(-1)}-${this.#made}`;
      const made: Resource = { name, states: [undefined, 0] };
      this.#resources.set(name, made);
      const answer = await change(address, 'POST', collection, body(name, 0));
      if (answer === undefined) return false;
      made.path = pathOf(stored?.(answer) ?? answer, key);
      made.states = [0];
      return true;
    }
    const one = alive[Math.floor(this.#random() * alive.length)]!;
    const [version = 0] = one.states;
    const next = this.#random() < 0.3 ? undefined : version + 1;
    one.states = [version, next];
    const path = item + encodeURIComponent(one.path!);
    const answer =
      next === undefined
        ? await change(address, 'DELETE', path)
        : await change(address, 'PUT', path, body(one.name, next));
    if (answer === undefined) return false;
    one.states = [next];
    if (next === undefined) delete one.path;
    return true;
  }

  /**
   * Asserts that every resource has its acknowledged or its pending state, and that no others
   * exist.
   */
  async check(address: Address): Promise<void> {
    const { collection, key, body, stored = (item) => item } = this.#kind;
    const query = key === 'uid' ? '?limit=1000' : '';
    const answer = await send(address, 'GET', collection + query);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const isBase = ({ id }: Body) => baseRoles.has(String(id));
    const listed = new Map(
      (answer.body as Body[])
        .filter((item) => !isBase(item))
        .map((item) => [nameOf(stored(item)), item] as const),
    );
    for (const resource of this.#resources.values()) {
      const { name, states } = resource;
      const item = listed.get(name);
      listed.delete(name);
      const is = states.findIndex((state) =>
        state === undefined
          ? item === undefined
          : item !== undefined && contains(stored(item), this.#sent(body(name, state))),
      );
      const about = `${collection}: ${name} must be ${states.join(' or ')}: ${JSON.stringify(item)}`;
      assert.ok(is >= 0, about);
      resource.states = [states[is]];
      if (item === undefined) delete resource.path;
      else resource.path = pathOf(item, key);
    }
    assert.deepEqual([...listed.keys()], [], `${collection} has what nobody made`);
  }

  #sent(body: Body): Body {
    return this.#kind.stored?.(body) ?? body;
  }
}

const baseRoles: ReadonlySet<string> = new Set(['owner', 'admin', 'user', 'read-only', 'none']);

const nameOf = (item: Body) => String(item['name']);

function pathOf(item: Body, key: Kind['key']): string {
  return String(item[key]);
}

/** Returns whether a stored resource contains the sent members. */
function contains(stored: Body, sent: Body): boolean {
  return Object.entries(sent).every(
    ([name, value]) => JSON.stringify(stored[name]) === JSON.stringify(value),
  );
}

/** Sends a change. Returns the response, or undefined if the process ended first. */
async function change(
  address: Address,
  method: string,
  path: string,
  body?: Body,
): Promise<Body | undefined> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await send(address, method, path, text).catch(() => undefined);
  if (answer === undefined) return undefined;
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body ?? {};
}

/** Whether a token is accepted. */
type Works = boolean;

interface HeldToken {
  readonly id: string;
  readonly secret: string;
  works: Works[];
}

/** The number of invalid tokens to try after each kill. */
const DEAD = 12;

/** Creates, regenerates and deletes tokens for one dataset, and tries them after each kill. */
class TokenWriter {
  #tokens: HeldToken[] = [];
  readonly #random: () => number;
  #made = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  async write(address: Address): Promise<number> {
    for (let count = 0; ; count += 1) if (!(await this.#step(address))) return count;
  }

  #newToken(): Body {
    this.#made += 1;
    const datasetCapabilities = { small: { query: ['read'] } };
    return { name: `token-${this.#made}`, datasetCapabilities };
  }

  async #step(address: Address): Promise<boolean> {
    const alive = this.#tokens.filter(({ works }) => works[0]);
    const hold = ({ id, token }: Body) => {
      this.#tokens.push({ id: String(id), secret: String(token), works: [true] });
    };
    if (alive.length < ALIVE) {
      const made = await change(address, 'POST', '/v2/tokens', this.#newToken());
      if (made === undefined) return false;
      hold(made);
      return true;
    }
    const one = alive[Math.floor(this.#random() * alive.length)]!;
    one.works = [true, false];
    const path = `/v2/tokens/${one.id}`;
    const answer =
      this.#random() < 0.5
        ? await change(address, 'DELETE', path)
        : await change(address, 'POST', `${path}/regenerate`, {
            existingTokenExpiresAt: '2020-01-01T00:00:00Z',
            newToken: this.#newToken(),
          });
    if (answer === undefined) return false;
    one.works = [false];
    if (answer['token'] !== undefined) hold(answer);
    return true;
  }

  async check({ url }: Address): Promise<void> {
    const dead = this.#tokens.filter(({ works }) => !works.includes(true)).slice(-DEAD);
    const others = this.#tokens.filter(({ works }) => works.includes(true));
    this.#tokens = [...dead, ...others];
    for (const token of this.#tokens) {
      const own = { url, token: token.secret };
      const { status, body } = await send(own, 'GET', '/v2/datasets');
      const works = status === 200;
      const about = `a token works: ${token.works.join(' or ')}, but ${JSON.stringify(body)}`;
      assert.ok(works || status === 401, about);
      assert.ok(token.works.includes(works), about);
      token.works = [works];
      if (!works) continue;
      assert.deepEqual(
        (body as { name: string }[]).map(({ name }) => name),
        ['small'],
      );
      const forbidden = await send(own, 'POST', '/v1/ingest/small', '{}');
      assert.equal(forbidden.status, 403, JSON.stringify(forbidden.body));
    }
  }
}

/** All writes to a data folder other than events. */
export class KilledResources {
  readonly #writers: readonly (ResourceWriter | TokenWriter)[];

  constructor(random: () => number) {
    this.#writers = [
      ...resourceKinds.map((kind) => new ResourceWriter(kind, random)),
      new TokenWriter(random),
    ];
  }

  /** Writes until the process has ended. Returns the number of acknowledged changes. */
  async write(address: Address): Promise<number> {
    const counts = await Promise.all(this.#writers.map((writer) => writer.write(address)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Asserts that a restarted process has all acknowledged changes. */
  async check(address: Address): Promise<void> {
    for (const writer of this.#writers) await writer.check(address);
  }
}

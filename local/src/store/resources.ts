/**
 * Stores all resources except datasets as JSON documents, and keeps undeclared members. Members of the wrong type,
 * written by another version or program, are dropped on read. Unreadable documents are reported at startup and left out
 * of lists, but can be deleted or replaced.
 */
import {
  Annotation,
  Dashboard,
  Group,
  integer,
  key,
  Monitor,
  Notifier,
  object,
  optional,
  Role,
  SavedQuery,
  type Static,
  stringifyJson,
  type TSchema,
  text,
  timestamp,
  User,
  View,
  VirtualField,
} from '../../../api/src/index.ts';
import { StoredToken } from '../access/storedToken.ts';
import type { Engine } from '../engines/duckdb/database/engine.ts';
import { ReadWriteLock } from './locks.ts';
import { type Log, readStored } from './storedJson.ts';

/** The stored part of an organization. The rest comes from the license, the local user and the usage, or is fixed. */
const StoredOrganization = object({
  id: key(text()),
  name: text(),
  created: optional(timestamp()),
  modified: optional(timestamp()),
  version: optional(integer()),
});
export type StoredOrganization = Static<typeof StoredOrganization>;

interface KindRules {
  readonly schema: TSchema;
  readonly key: string;
  /** The kind's name in messages, if it differs from the stored name. */
  readonly noun?: string;
}

const kinds = {
  monitor: { schema: Monitor, key: 'id' },
  notifier: { schema: Notifier, key: 'id' },
  dashboard: { schema: Dashboard, key: 'uid' },
  view: { schema: View, key: 'name' },
  annotation: { schema: Annotation, key: 'id' },
  'saved query': { schema: SavedQuery, key: 'id' },
  'virtual field': { schema: VirtualField, key: 'id' },
  token: { schema: StoredToken, key: 'id' },
  role: { schema: Role, key: 'id' },
  group: { schema: Group, key: 'id' },
  user: { schema: User, key: 'id' },
  // British spelling, because existing databases contain it.
  organisation: { schema: StoredOrganization, key: 'id', noun: 'organization' },
} as const satisfies Record<string, KindRules>;

export type ResourceKind = keyof typeof kinds;

export type Document = Readonly<Record<string, unknown>>;

type Row = readonly [kind: string | null, id: string | null, document: string | null];

export class Resources {
  readonly #engine: Engine;
  // All documents, by kind, in the order of creation. They are also kept in memory, because they are few and small.
  readonly #byKind = new Map(
    Object.keys(kinds).map((kind) => [kind as ResourceKind, new Map<string, Document>()]),
  );
  readonly #unreadable = new Map<ResourceKind, Set<string>>();
  readonly #changeLock = new ReadWriteLock();
  readonly #versions = new Map<ResourceKind, number>();

  private constructor(engine: Engine) {
    this.#engine = engine;
  }

  static async open(engine: Engine, log: Log): Promise<Resources> {
    const resources = new Resources(engine);
    await engine.use(async (session) => {
      await session.run('CREATE SCHEMA IF NOT EXISTS aplomb');
      await session.run(
        'CREATE TABLE IF NOT EXISTS aplomb.resources (kind VARCHAR, id VARCHAR, document VARCHAR)',
      );
      const rows = await session.rows<Row>(
        'SELECT kind, id, document FROM aplomb.resources ORDER BY rowid',
      );
      for (const row of rows) resources.#load(row, log);
    });
    return resources;
  }

  #load([kind, id, json]: Row, log: Log): void {
    // Skip unknown kinds, which another version has stored.
    if (kind === null || id === null || !isKind(kind)) return;
    const read = readDocument(kind, id, json);
    if (typeof read !== 'string') {
      this.#documents(kind).set(id, read);
      return;
    }
    const { noun = kind }: KindRules = kinds[kind];
    log(`The stored ${noun} ${JSON.stringify(id)} is left out, because ${read}.`);
    const ids = this.#unreadable.get(kind) ?? new Set();
    this.#unreadable.set(kind, ids.add(id));
  }

  /** Returns a number that increases with every change to the given kinds, so that caches can detect changes. */
  versionOf(...kinds: readonly ResourceKind[]): number {
    return kinds.reduce((sum, kind) => sum + (this.#versions.get(kind) ?? 0), 0);
  }

  list<T extends Document>(kind: ResourceKind): T[] {
    return [...this.#documents(kind).values()] as T[];
  }

  entries<T extends Document>(kind: ResourceKind): (readonly [id: string, document: T])[] {
    return [...this.#documents(kind)] as unknown as (readonly [string, T])[];
  }

  get<T extends Document>(kind: ResourceKind, id: string): T | undefined {
    return this.#documents(kind).get(id) as T | undefined;
  }

  isUnreadable(kind: ResourceKind, id: string): boolean {
    return this.#unreadable.get(kind)?.has(id) ?? false;
  }

  get isEmpty(): boolean {
    return [...this.#byKind.values()].every(({ size }) => size === 0);
  }

  /** Replaces all documents of a kind in memory by those of another process. */
  copy(kind: ResourceKind, copies: readonly Document[]): void {
    const documents = this.#documents(kind);
    if (stringifyJson([...documents.values()]) === stringifyJson(copies)) return;
    documents.clear();
    for (const copy of copies) documents.set(copy[kinds[kind].key] as string, copy);
    this.#countVersion(kind);
  }

  /** Deletes a resource. Returns false if it doesn't exist. `check` may throw to prevent the deletion. */
  delete(kind: ResourceKind, id: string, check: () => void = () => undefined): Promise<boolean> {
    return this.#changeLock.exclusive(async () => {
      if (!this.#documents(kind).has(id) && !this.isUnreadable(kind, id)) return false;
      check();
      const sql = 'DELETE FROM aplomb.resources WHERE kind = $1 AND id = $2';
      await this.#engine.transaction((session) => session.run(sql, [kind, id]));
      this.#documents(kind).delete(id);
      this.#unreadable.get(kind)?.delete(id);
      this.#countVersion(kind);
      return true;
    });
  }

  /** Passes the document to `change` under the lock and stores the result. An unreadable document counts as missing. */
  change<T extends Document>(
    kind: ResourceKind,
    id: string,
    change: (current: T | undefined) => T,
  ): Promise<T> {
    return this.#changeLock.exclusive(async () => {
      const documents = this.#documents(kind);
      const current = documents.get(id) as T | undefined;
      const next = change(current);
      if (next === current) return next;
      const isStored = current !== undefined || this.isUnreadable(kind, id);
      const sql = isStored
        ? 'UPDATE aplomb.resources SET document = $3 WHERE kind = $1 AND id = $2'
        : 'INSERT INTO aplomb.resources VALUES ($1, $2, $3)';
      const values = [kind, id, stringifyJson(next)];
      await this.#engine.transaction((session) => session.run(sql, values));
      documents.set(id, next);
      this.#unreadable.get(kind)?.delete(id);
      this.#countVersion(kind);
      return next;
    });
  }

  #countVersion(kind: ResourceKind): void {
    this.#versions.set(kind, this.versionOf(kind) + 1);
  }

  #documents(kind: ResourceKind): Map<string, Document> {
    return this.#byKind.get(kind)!;
  }
}

function isKind(kind: string): kind is ResourceKind {
  return Object.hasOwn(kinds, kind);
}

/** Returns a stored document. If the document is unusable, returns the reason, worded to follow "because". */
function readDocument(kind: ResourceKind, id: string, json: string | null): Document | string {
  const { schema, key } = kinds[kind];
  const document = readStored<TSchema>(schema, json) as Document | string;
  if (typeof document === 'string' || document[key] === id) return document;
  return `its ${key} is another`;
}

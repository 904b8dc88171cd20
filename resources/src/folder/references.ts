// Converts a document's identifiers of other resources, such as a monitor's notifiers. They differ on each deployment,
// so a folder has names instead: `{ "$name": "On call" }`. The identifier of a resource without a unique name stays.
import { idOf, type KindName, kinds } from '../kinds.ts';
import { isMembers, type Members, type Path, textAt, valueAt, withValueAt } from '../value.ts';
import { valuesAt } from './layout.ts';
import type { ResourceStore } from './store.ts';

interface ResourceNames {
  /** All identifiers, including those of resources without a unique name. */
  readonly ids: ReadonlySet<string>;
  readonly byId: ReadonlyMap<string, string>;
  readonly byName: ReadonlyMap<string, string>;
  /** Names shared by several resources. */
  readonly shared: ReadonlySet<string>;
  /** The reason the resources can't be read. */
  readonly reason?: string;
}

export type Resolved =
  | { readonly ok: true; readonly document: Members }
  | { readonly ok: false; readonly reason: string };

/** Resolves the references of documents on one deployment. Each kind is requested once, and again after `forget`. */
export class References {
  readonly #store: ResourceStore;
  readonly #names = new Map<KindName, Promise<ResourceNames>>();
  readonly #unreadable = new Map<KindName, string>();

  constructor(store: ResourceStore) {
    this.#store = store;
  }

  /** The kinds whose identifiers were kept because they can't be read, with the reason. */
  get unreadable(): ReadonlyMap<KindName, string> {
    return this.#unreadable;
  }

  /** Forgets a kind's resources after one was changed, so that they are read again. */
  forget(kind: KindName): void {
    this.#names.delete(kind);
  }

  /** Replaces identifiers in a deployment's document with names. */
  async withNames(kind: KindName, document: Members): Promise<Members> {
    let result = document;
    for (const { path, to } of referenceLocations(kind, document)) {
      const id = valueAt(document, path);
      if (typeof id !== 'string') continue;
      const { byId, reason } = await this.#namesOf(to);
      if (reason !== undefined) this.#unreadable.set(to, reason);
      const name = byId.get(id);
      if (name !== undefined) result = withValueAt(result, path, { $name: name }) as Members;
    }
    return result;
  }

  /**
   * Replaces names in a document with the deployment's identifiers. A planned resource has no identifier yet, so its
   * name stays. An identifier that doesn't exist on the deployment is refused, unless `stored`, the document to change,
   * already has it.
   */
  async withIds(
    kind: KindName,
    document: Members,
    stored: Members = {},
    isPlanned: (kind: KindName, name: string) => boolean = () => false,
  ): Promise<Resolved> {
    let result = document;
    const reasons = new Set<string>();
    const kept = new Set(referenceLocations(kind, stored).map(({ path }) => valueAt(stored, path)));
    for (const { path, to } of referenceLocations(kind, document)) {
      const value = valueAt(document, path);
      const name = nameIn(value);
      if (name === undefined && (typeof value !== 'string' || kept.has(value))) continue;
      const names = await this.#namesOf(to);
      const isKnown = (one: string) => names.byName.has(one) || isPlanned(to, one);
      if (name === undefined) {
        const id = value as string;
        const reason = unknownId(to, id, names, isKnown(id));
        if (reason !== undefined) reasons.add(reason);
      } else if (isKnown(name)) {
        result = withValueAt(result, path, names.byName.get(name) ?? name) as Members;
      } else reasons.add(unknownName(to, name, names));
    }
    return reasons.size === 0
      ? { ok: true, document: result }
      : { ok: false, reason: [...reasons].join(' ') };
  }

  #namesOf(kind: KindName): Promise<ResourceNames> {
    const known = this.#names.get(kind) ?? this.#read(kind);
    this.#names.set(kind, known);
    return known;
  }

  async #read(kind: KindName): Promise<ResourceNames> {
    const answer = await this.#store.list(kind, undefined);
    const records = answer.ok ? answer.value : [];
    const ids = new Set<string>();
    const named = records.flatMap((record) => {
      const [id, name] = [idOf(kind, record), textAt(record, kinds[kind].name)];
      if (id !== undefined) ids.add(id);
      return id === undefined || name === undefined ? [] : [{ id, name }];
    });
    const names = new Set<string>();
    const shared = new Set<string>();
    for (const { name } of named) (names.has(name) ? shared : names).add(name);
    const own = named.filter(({ name }) => !shared.has(name));
    return {
      ids,
      byId: new Map(own.map(({ id, name }) => [id, name])),
      byName: new Map(own.map(({ id, name }) => [name, id])),
      shared,
      ...(!answer.ok && { reason: answer.reason }),
    };
  }
}

interface ReferenceLocation {
  readonly path: Path;
  readonly to: KindName;
}

function referenceLocations(kind: KindName, document: Members): ReferenceLocation[] {
  return (kinds[kind].references ?? []).flatMap(({ path, to }) =>
    valuesAt(document, path, []).map((at) => ({ path: at, to })),
  );
}

function nameIn(value: unknown): string | undefined {
  return isMembers(value) && Object.keys(value).length === 1 ? textAt(value, ['$name']) : undefined;
}

/** Explains why a name has no identifier. */
function unknownName(to: KindName, name: string, { shared, reason }: ResourceNames): string {
  const { noun, plural } = kinds[to];
  const quoted = JSON.stringify(name);
  if (reason !== undefined) {
    return `The ${plural} cannot be read, so ${quoted} is not found. ${reason}`;
  }
  return shared.has(name)
    ? `Several ${plural} on the deployment are named ${quoted}. Rename all but one.`
    : `The deployment has no ${noun} ${quoted}. Create it there, then apply again.`;
}

/** Explains why text isn't an identifier; undefined if it is, or if the identifiers can't be read. */
function unknownId(
  to: KindName,
  id: string,
  { ids, shared, reason }: ResourceNames,
  isName: boolean,
): string | undefined {
  if (reason !== undefined || ids.has(id)) return undefined;
  const { noun, plural } = kinds[to];
  const quoted = JSON.stringify(id);
  if (shared.has(id)) {
    return `${quoted} is the name of several ${plural}, not an identifier. Replace it with the identifier of one.`;
  }
  return isName
    ? `${quoted} is the name of a ${noun}, not its identifier. Replace it with {"$name": ${quoted}}.`
    : `The deployment has no ${noun} with the identifier ${quoted}. Replace it with the name of one, as {"$name": "NAME"}, or remove it.`;
}

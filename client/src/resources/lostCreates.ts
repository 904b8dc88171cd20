// Creates whose answer was lost. The resource may exist, so that a repeated create would make a second one: it is
// looked up by its content first.
import { documentOf, updateBody } from '../../../resources/src/documents.ts';
import { idOf, type KindName, kinds } from '../../../resources/src/kinds.ts';
import { maskSecrets, unmaskedPaths } from '../../../resources/src/secrets.ts';
import { isMembers, type Members, textAt } from '../../../resources/src/value.ts';
import type { Failure, Outcome } from '../api/failure.ts';
import type { Service } from '../api/service.ts';

/** Lists the resources of a kind, of one dataset if it is given. */
export type ListKind = (dataset: string | undefined) => Promise<Outcome<readonly Members[]>>;

interface Lost {
  /** What was sent, without secrets. */
  readonly document: Members;
  /** When it was sent and when the answer was lost, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly lostAt: number;
}

/** How far the clocks of a deployment and of this machine may be apart. */
const CLOCKS_APART_MS_MAX = 300_000;

/** By the address of the deployment, since each save may have another service. */
const deployments = new Map<string, Creates>();

export function createsOn({ connection }: Service): Creates {
  const address = JSON.stringify([connection.general, connection.organization]);
  const creates = deployments.get(address) ?? new Creates();
  deployments.set(address, creates);
  return creates;
}

class Creates {
  readonly #lost = new Map<string, Lost>();
  /** Identifiers of what was created and answered. */
  readonly #made = new Set<string>();

  made(kind: KindName, body: unknown, record: Members): void {
    this.#lost.delete(nameOf(kind, body));
    const id = idOf(kind, record);
    if (id !== undefined) this.#made.add(`${kind} ${id}`);
  }

  lose(kind: KindName, body: unknown, startedAt: number): void {
    if (!isMembers(body)) return;
    this.#lost.set(nameOf(kind, body), {
      document: maskSecrets(kind, body),
      startedAt,
      lostAt: Date.now(),
    });
  }

  /** Whether the answer to a create of a resource of that name was lost. */
  isInDoubt(kind: KindName, body: unknown): boolean {
    return this.#lost.has(nameOf(kind, body));
  }

  /** The resource that a lost create of that name made; undefined if there is none. */
  async find(kind: KindName, body: unknown, list: ListKind): Promise<Outcome<Members | undefined>> {
    const lost = this.#lost.get(nameOf(kind, body));
    if (lost === undefined) return { ok: true, value: undefined };
    const { document, startedAt, lostAt } = lost;
    const listed = await list(textAt(document, ['dataset']));
    if (!listed.ok) return listed;
    const found = listed.value.filter((record) => {
      const createdAt = Date.parse(textAt(record, ['createdAt']) ?? '');
      const isOlder = createdAt < startedAt - CLOCKS_APART_MS_MAX;
      const isNewer = createdAt > lostAt + CLOCKS_APART_MS_MAX;
      const isOther = this.#made.has(`${kind} ${idOf(kind, record)}`);
      return !isOlder && !isNewer && !isOther && contains(record, document);
    });
    return { ok: true, value: found.length === 1 ? found[0] : undefined };
  }
}

/** Whether the service may have acted on a request although it did not answer so. */
export function isLost({ sent, status = 0 }: Failure): boolean {
  return sent === true || status >= 500;
}

/**
 * Whether a record, whose secrets are masked, is what a create with that body makes. A body with secrets may have
 * others than those that are stored.
 */
export function isMadeOf(kind: KindName, record: Members, body: unknown): boolean {
  return isMembers(body) && unmaskedPaths(kind, body).length === 0 && contains(record, body);
}

/** The body that changes a record to what a create would have stored. */
export function changeTo(kind: KindName, record: Members, body: unknown): unknown {
  return updateBody(kind, record, documentOf(kind, body as Members));
}

/** What a repeated create has in common with the first, although its content may have been edited in between. */
function nameOf(kind: KindName, body: unknown): string {
  const name = textAt(body, kinds[kind].name) ?? '';
  return JSON.stringify([kind, textAt(body, ['dataset']), name]);
}

/** Whether a value has all of another one: a service adds members. */
function contains(value: unknown, wanted: unknown): boolean {
  if (value === wanted) return true;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((item, index) => contains(value[index], item))
    );
  }
  if (!isMembers(wanted) || !isMembers(value)) return false;
  return Object.keys(wanted).every(
    (name) => Object.hasOwn(value, name) && contains(value[name], wanted[name]),
  );
}

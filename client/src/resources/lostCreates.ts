// Create requests whose response was lost. Before one is repeated, the resource is looked up by its content.
import { documentOf, updateBody } from '../../../resources/src/documents.ts';
import { idOf, type KindName, kinds } from '../../../resources/src/kinds.ts';
import { maskSecrets, unmaskedPaths } from '../../../resources/src/secrets.ts';
import { isMembers, type Members, textAt } from '../../../resources/src/value.ts';
import type { Failure, Outcome } from '../service/failure.ts';
import type { Service } from '../service/service.ts';

/** Lists a kind's resources, or only those that belong to a dataset. */
export type ListKind = (dataset: string | undefined) => Promise<Outcome<readonly Members[]>>;

interface Lost {
  readonly document: Members;
  /** When the request was sent and when it failed, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly lostAt: number;
}

/** The maximum difference between a deployment's clock and this machine's clock. */
const CLOCKS_APART_MS_MAX = 300_000;

/** Lost creates by the deployment's address, because each save may use a different service object. */
const deployments = new Map<string, Creates>();

export function createsOn({ connection }: Service): Creates {
  const address = JSON.stringify([connection.general, connection.organization]);
  const creates = deployments.get(address) ?? new Creates();
  deployments.set(address, creates);
  return creates;
}

class Creates {
  readonly #lost = new Map<string, Lost>();
  /** Identifiers of resources whose creation was confirmed, so that they cannot result from a lost create. */
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

  isInDoubt(kind: KindName, body: unknown): boolean {
    return this.#lost.has(nameOf(kind, body));
  }

  /**
   * Finds the resource created by an earlier request whose response was lost and whose resource had the same kind,
   * dataset and name as `body`. Returns undefined if no resource or several resources match.
   */
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

/** Whether the service may have handled a failed request. */
export function isLost({ sent, status = 0 }: Failure): boolean {
  return sent === true || status >= 500;
}

/**
 * Whether a record with masked secrets matches a create request's body. Always false for a body with secrets, because
 * the stored secrets may differ.
 */
export function isMadeOf(kind: KindName, record: Members, body: unknown): boolean {
  return isMembers(body) && unmaskedPaths(kind, body).length === 0 && contains(record, body);
}

/** Returns the body that updates a record to a create request's content. */
export function changeTo(kind: KindName, record: Members, body: unknown): unknown {
  return updateBody(kind, record, documentOf(kind, body as Members));
}

/** Returns a key that identifies a repeated create by kind, dataset and name, even if other content was edited. */
function nameOf(kind: KindName, body: unknown): string {
  const name = textAt(body, kinds[kind].name) ?? '';
  return JSON.stringify([kind, textAt(body, ['dataset']), name]);
}

/** Whether a value contains all members of another value. It may have more, because services add members. */
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

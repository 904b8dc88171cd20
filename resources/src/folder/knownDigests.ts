// Tracks a folder's known digests of a deployment, to detect conflicts and to write the new lock.
import { type KindName, kinds } from '../kinds.ts';
import type { Members } from '../value.ts';
import { type DeployedKind, type DeployedResource, isEmpty } from './gather.ts';
import { digestOf, type Lock } from './lock.ts';
import type { Matches } from './match.ts';
import type { Conflict } from './plan.ts';
import type { FolderContent } from './readFolder.ts';

/** The digests from the export, and those after the comparison. */
export class KnownDigests {
  readonly #isGuarded: boolean;
  readonly #known = new Map<string, Set<string>>();
  readonly #lock: Map<string, readonly string[]>;

  constructor({ lock }: FolderContent) {
    this.#isGuarded = lock !== undefined;
    this.#lock = new Map(lock);
    for (const [path, digests] of this.#lock) {
      const folder = path.slice(0, path.indexOf('/'));
      const known = this.#known.get(folder) ?? new Set();
      this.#known.set(folder, known);
      for (const digest of digests) known.add(digest);
    }
  }

  get lock(): Lock {
    return this.#lock;
  }

  /**
   * Records the digest of the deployment's document for a file if the two are equal, if the document is known from a
   * renamed file, or if the folder has no lock.
   */
  record(
    kind: KindName,
    path: string,
    deployed: DeployedResource | undefined,
    hasSame: boolean,
  ): void {
    if (deployed === undefined) return;
    const digest = digestOf(deployed.document);
    const isRenamed = !this.#lock.has(path) && this.isKnown(kind, digest);
    if (hasSame || isRenamed || !this.#isGuarded) this.#lock.set(path, [digest]);
  }

  /**
   * Drops the digests of removed files, unless their resource still exists without a file. If the deployment later
   * returns to such content, that is a change.
   */
  dropRemoved(
    kind: KindName,
    { entries, withoutFile }: Matches,
    { reason, reasons }: DeployedKind,
  ): void {
    if (reason !== undefined || reasons.size > 0) return;
    const paths = new Set(entries.map(({ entry }) => entry.path));
    const digests = new Set(withoutFile.map(({ deployed }) => digestOf(deployed.document)));
    for (const [path, known] of this.#lock) {
      const isOfKind = path.startsWith(`${kinds[kind].folder}/`);
      if (!isOfKind || paths.has(path) || known.some((digest) => digests.has(digest))) continue;
      this.#lock.delete(path);
    }
  }

  /**
   * Returns the conflict of a resource, if any. `document` is the folder's document, if there is one. Only content is
   * compared, so that files can be renamed.
   */
  conflict(
    kind: KindName,
    deployed: DeployedResource | undefined,
    document?: Members,
  ): Conflict | undefined {
    if (!this.#isGuarded || deployed === undefined || isEmpty(kind, deployed.document))
      return undefined;
    if (this.isKnown(kind, digestOf(deployed.document))) return undefined;
    if (document === undefined) return 'deployment';
    return this.isKnown(kind, digestOf(document)) ? 'deployment' : 'both';
  }

  isKnown(kind: KindName, digest: string): boolean {
    return this.#known.get(kinds[kind].folder)?.has(digest) === true;
  }
}

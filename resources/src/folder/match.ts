// Matches a folder's files to a deployment's resources.
import { documentText } from '../documents.ts';
import { type KindName, kinds } from '../kinds.ts';
import type { Held } from './gather.ts';
import { keyOf, stemsOf } from './layout.ts';
import { digestOf, type Lock } from './lock.ts';
import type { Entry } from './readFolder.ts';

export interface Matched {
  /** Each entry with its resource on the deployment, if any. */
  readonly both: readonly { readonly entry: Entry; readonly held: Held | undefined }[];
  /** Resources without a file, with the name their file would have. */
  readonly onDeployment: readonly { readonly held: Held; readonly stem: string }[];
}

/** A property that matches a file to a resource. A file may have several values. */
interface Rule {
  readonly ofEntry: (entry: Entry) => readonly string[];
  readonly ofHeld: (held: Held, stem: string) => string | undefined;
}

/**
 * Matches by the kind's key. Several with one key are matched by content, then by file name, then in order. If the
 * service assigns identifiers, a renamed resource is found by its digest in `lock` or by its file name. Takes linear
 * time.
 */
export function matched(
  kind: KindName,
  entries: readonly Entry[],
  held: readonly Held[],
  lock: Lock = new Map(),
): Matched {
  const stems = stemsOf(
    kind,
    held.map(({ document }) => document),
  );
  const free = new Map(held.map((one, index) => [one, stems[index] ?? ''] as const));
  const keys = new Map(held.map((one) => [one, keyOf(kind, one.document)] as const));
  const rules: readonly Rule[] = [
    {
      ofEntry: ({ key, document }) => [`${key} ${documentText(document)}`],
      ofHeld: (one) => `${keys.get(one)} ${documentText(one.document)}`,
    },
    {
      ofEntry: ({ key, stem }) => [`${key} ${stem}`],
      ofHeld: (one, stem) => `${keys.get(one)} ${stem}`,
    },
    { ofEntry: ({ key }) => [key], ofHeld: (one) => keys.get(one) },
    ...(kinds[kind].idBy === 'service' ? renamed(lock) : []),
  ];
  const found = new Map<Entry, Held>();
  let left: readonly Entry[] = entries.toSorted((a, b) => (a.stem < b.stem ? -1 : 1));
  for (const { ofEntry, ofHeld } of rules) {
    if (left.length === 0 || free.size === 0) break;
    const queues = queuesOf(free, ofHeld);
    left = left.filter((entry) => {
      const queue = ofEntry(entry)
        .map((name) => queues.get(name))
        .find((each) => each?.length);
      const one = queue?.pop();
      if (one === undefined) return true;
      found.set(entry, one);
      free.delete(one);
      return false;
    });
  }
  return {
    both: entries.map((entry) => ({ entry, held: found.get(entry) })),
    onDeployment: [...free].map(([one, stem]) => ({ held: one, stem })),
  };
}

/** Returns the rules for files whose resource has another name on the deployment. */
function renamed(lock: Lock): readonly Rule[] {
  return [
    { ofEntry: ({ path }) => lock.get(path) ?? [], ofHeld: ({ document }) => digestOf(document) },
    { ofEntry: ({ stem }) => [stem], ofHeld: (_, stem) => stem },
  ];
}

/** Groups resources by a property. Each queue is in reverse order, so its first resource is at the end. */
function queuesOf(
  free: ReadonlyMap<Held, string>,
  ofHeld: Rule['ofHeld'],
): ReadonlyMap<string | undefined, Held[]> {
  const queues = new Map<string | undefined, Held[]>();
  for (const [one, stem] of [...free].reverse()) {
    const name = ofHeld(one, stem);
    const queue = queues.get(name);
    if (queue === undefined) queues.set(name, [one]);
    else queue.push(one);
  }
  return queues;
}

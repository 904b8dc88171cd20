// Which file of a folder is which resource of a deployment.
import { documentText } from '../documents.ts';
import { type KindName, kinds } from '../kinds.ts';
import type { Held } from './gather.ts';
import { keyOf, stemsOf } from './layout.ts';
import { digestOf, type Lock } from './lock.ts';
import type { Entry } from './readFolder.ts';

export interface Matched {
  /** Each entry with the resource that it is on the deployment, if any. */
  readonly both: readonly { readonly entry: Entry; readonly held: Held | undefined }[];
  /** Resources without a file, with the name that their file would have. */
  readonly onDeployment: readonly { readonly held: Held; readonly stem: string }[];
}

/** What a file and its resource have in common: of a file, any of several. */
interface Rule {
  readonly ofEntry: (entry: Entry) => readonly string[];
  readonly ofHeld: (held: Held, stem: string) => string | undefined;
}

/**
 * By what identifies resources of the kind, several of them first by their content, then in order. A file whose
 * resource was renamed in it is found by the content that `lock` records for it, or by the name of the file. Takes
 * time in proportion to the number of both.
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

/** For files in which the resource has another name than on the deployment. */
function renamed(lock: Lock): readonly Rule[] {
  return [
    { ofEntry: ({ path }) => lock.get(path) ?? [], ofHeld: ({ document }) => digestOf(document) },
    { ofEntry: ({ stem }) => [stem], ofHeld: (_, stem) => stem },
  ];
}

/** Resources by what they have; the first of each queue is at its end. */
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

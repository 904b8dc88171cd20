// Matches a folder's files to a deployment's resources.
import { documentText } from '../documents.ts';
import { type KindName, kinds } from '../kinds.ts';
import type { DeployedResource } from './gather.ts';
import { keyOf, stemsOf } from './layout.ts';
import { digestOf, type Lock } from './lock.ts';
import type { Entry } from './readFolder.ts';

export interface Matches {
  /** Each entry with its resource on the deployment, if any. */
  readonly entries: readonly {
    readonly entry: Entry;
    readonly deployed: DeployedResource | undefined;
  }[];
  /** Resources without a file, with the name their file would have. */
  readonly withoutFile: readonly { readonly deployed: DeployedResource; readonly stem: string }[];
}

/** A property that matches a file to a resource. A file may have several values. */
interface Rule {
  readonly ofEntry: (entry: Entry) => readonly string[];
  readonly ofResource: (resource: DeployedResource, stem: string) => string | undefined;
}

/**
 * Matches by the kind's key. Several with one key are matched by content, then by file name, then in order. If the
 * service assigns identifiers, a renamed resource is found by its digest in `lock` or by its file name. Takes linear
 * time.
 */
export function matchFiles(
  kind: KindName,
  entries: readonly Entry[],
  resources: readonly DeployedResource[],
  lock: Lock = new Map(),
): Matches {
  const stems = stemsOf(
    kind,
    resources.map(({ document }) => document),
  );
  const free = new Map(resources.map((one, index) => [one, stems[index] ?? ''] as const));
  const keys = new Map(resources.map((one) => [one, keyOf(kind, one.document)] as const));
  const rules: readonly Rule[] = [
    {
      ofEntry: ({ key, document }) => [`${key} ${documentText(document)}`],
      ofResource: (one) => `${keys.get(one)} ${documentText(one.document)}`,
    },
    {
      ofEntry: ({ key, stem }) => [`${key} ${stem}`],
      ofResource: (one, stem) => `${keys.get(one)} ${stem}`,
    },
    { ofEntry: ({ key }) => [key], ofResource: (one) => keys.get(one) },
    ...(kinds[kind].idBy === 'service' ? renameRules(lock) : []),
  ];
  const found = new Map<Entry, DeployedResource>();
  let unmatched: readonly Entry[] = entries.toSorted((a, b) => (a.stem < b.stem ? -1 : 1));
  for (const { ofEntry, ofResource } of rules) {
    if (unmatched.length === 0 || free.size === 0) break;
    const queues = queuesOf(free, ofResource);
    unmatched = unmatched.filter((entry) => {
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
    entries: entries.map((entry) => ({ entry, deployed: found.get(entry) })),
    withoutFile: [...free].map(([one, stem]) => ({ deployed: one, stem })),
  };
}

/** Returns the rules for files whose resource has another name on the deployment. */
function renameRules(lock: Lock): readonly Rule[] {
  return [
    {
      ofEntry: ({ path }) => lock.get(path) ?? [],
      ofResource: ({ document }) => digestOf(document),
    },
    { ofEntry: ({ stem }) => [stem], ofResource: (_, stem) => stem },
  ];
}

/** Groups resources by a property. Each queue is in reverse order, so its first resource is at the end. */
function queuesOf(
  free: ReadonlyMap<DeployedResource, string>,
  ofResource: Rule['ofResource'],
): ReadonlyMap<string | undefined, DeployedResource[]> {
  const queues = new Map<string | undefined, DeployedResource[]>();
  for (const [one, stem] of [...free].reverse()) {
    const name = ofResource(one, stem);
    const queue = queues.get(name);
    if (queue === undefined) queues.set(name, [one]);
    else queue.push(one);
  }
  return queues;
}

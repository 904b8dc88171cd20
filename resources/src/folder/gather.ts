// Reads a deployment's resources of some kinds, as documents.
import { documentOf } from '../documents.ts';
import { idOf, type KindName, kinds } from '../kinds.ts';
import type { Members } from '../value.ts';
import { titleOf } from './layout.ts';
import { References } from './references.ts';
import { checkCancelled, type ResourceStore, type Running } from './store.ts';

export interface Held {
  readonly kind: KindName;
  readonly id: string;
  /** The document as in a folder: names replace the identifiers of other resources. */
  readonly document: Members;
  /** The document as on the deployment. */
  readonly stored: Members;
}

export interface HeldKind {
  readonly held: readonly Held[];
  /** The reason the kind can't be read at all. */
  readonly reason?: string;
  /** The reason it can't be read, by dataset. */
  readonly reasons: ReadonlyMap<string, string>;
}

export interface Holdings {
  readonly kinds: ReadonlyMap<KindName, HeldKind>;
  /** The names of the datasets; undefined if no kind needs them or they can't be read. */
  readonly datasets?: readonly string[];
  /** Members missing from documents because the service sets them. */
  readonly leftOut: readonly string[];
}

/**
 * Reads all resources of some kinds, with names in place of other resources' identifiers.
 * @throws Cancelled, or a GatherError if there is no connection or no valid token.
 */
export async function gather(
  store: ResourceStore,
  wanted: readonly KindName[],
  running: Running = {},
  references = new References(store),
): Promise<Holdings> {
  const needsDatasets = wanted.some((kind) => kinds[kind].of === 'dataset');
  const datasets = needsDatasets ? await store.datasets() : undefined;
  if (datasets?.ok === false && datasets.ends) throw new GatherError(datasets.reason);
  const found = new Map<KindName, HeldKind>();
  const leftOut = new Set<string>();
  const names = datasets?.ok ? datasets.value : [];
  const total = wanted.reduce((sum, kind) => sum + (ofDataset(kind) ? names.length : 1), 0);
  let done = 0;
  for (const kind of wanted) {
    if (ofDataset(kind) && datasets?.ok === false) {
      found.set(kind, { held: [], reason: datasets.reason, reasons: new Map() });
      continue;
    }
    const held: Held[] = [];
    const reasons = new Map<string, string>();
    for (const dataset of ofDataset(kind) ? names : [undefined]) {
      checkCancelled(running);
      running.onProgress?.({ done, total, message: kinds[kind].plural });
      done += 1;
      const answer = await store.list(kind, dataset);
      checkCancelled(running);
      if (answer.ok) {
        for (const record of answer.value) {
          const document = heldDocument(kind, record, dataset);
          for (const name of Object.keys(record)) {
            if (!Object.hasOwn(document, name)) leftOut.add(name);
          }
          const id = idOf(kind, record) ?? dataset ?? '';
          held.push({
            kind,
            id,
            document: await references.withNames(kind, document),
            stored: document,
          });
        }
      } else if (answer.ends) throw new GatherError(answer.reason);
      else reasons.set(dataset ?? '', answer.reason);
    }
    const reason = reasons.get('');
    found.set(kind, { held, ...(reason !== undefined && { reason }), reasons });
  }
  return {
    kinds: found,
    ...(datasets?.ok && { datasets: names }),
    leftOut: [...leftOut].sort(),
  };
}

/** Nothing can be read, because there is no connection or no valid token. */
export class GatherError extends Error {
  override readonly name = 'GatherError';
}

/** Returns a record's document. A list's document gets its dataset, which the record doesn't name. */
export function heldDocument(
  kind: KindName,
  record: Members,
  dataset: string | undefined,
): Members {
  const document = documentOf(kind, record);
  return kinds[kind].listIn === undefined ? document : { dataset, ...document };
}

export function ofDataset(kind: KindName): boolean {
  return kinds[kind].of === 'dataset';
}

/** Returns whether a document is empty: a dataset without map fields has an empty list. */
export function isEmpty(kind: KindName, document: Members): boolean {
  const { listIn } = kinds[kind];
  const list = listIn === undefined ? undefined : document[listIn];
  return Array.isArray(list) && list.length === 0;
}

/** Describes a resource: `monitor "Errors"`. */
export function inWords({ kind, document }: Pick<Held, 'kind' | 'document'>): string {
  return `${kinds[kind].noun} ${JSON.stringify(titleOf(kind, document))}`;
}

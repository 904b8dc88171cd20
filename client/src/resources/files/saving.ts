// Saves a resource. Compares the deployment's record with the document's base, and merges changes to different members.
// Independent of VS Code.

import { aplLocation } from '../../../../resources/src/aplLocations.ts';
import { documentOf, updateBody } from '../../../../resources/src/documents.ts';
import type { KindName } from '../../../../resources/src/kinds.ts';
import { mergeDisjoint, mergeKeepingMine } from '../../../../resources/src/merge.ts';
import { equal, type Members, withValueAt } from '../../../../resources/src/value.ts';
import type { Failure } from '../../service/failure.ts';
import type { Service } from '../../service/service.ts';
import { getRecord, updateRecord } from '../calls.ts';

/** The content to write: an entire document or one piece of its APL. */
export type Written =
  | { readonly form: 'json'; readonly document: Members }
  | { readonly form: 'apl'; readonly place: string; readonly apl: string };

type SaveEnd =
  | {
      readonly kind: 'saved';
      readonly record: Members;
      /** Whether the record also has changes that the document lacked. */
      readonly isMerged: boolean;
    }
  /** Nothing was sent, because the document has no changes. */
  | { readonly kind: 'unchanged' }
  /** Someone else changed the same member. `current` is the deployment's record. Nothing was sent. */
  | { readonly kind: 'conflict'; readonly current: Members }
  /** The resource or its piece of APL no longer exists. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface Saving {
  /**
   * The record that the document was created from. Without it, any difference from the deployment's record is a
   * conflict.
   */
  readonly base: Members | undefined;
  /** The record that another document in this window stored after `base`. Its changes never conflict. */
  readonly own?: Members | undefined;
  readonly written: Written;
}

/** The maximum number of attempts. A record that still changes after them is reported as a conflict. */
const ATTEMPTS_MAX = 3;

/**
 * Saves unless someone else changed the same member. For kinds with a version, the service rejects a write after a
 * change by someone else.
 */
export async function saveResource(
  service: Service,
  kind: KindName,
  id: string,
  saving: Saving,
): Promise<SaveEnd> {
  const { written } = saving;
  if (saving.base !== undefined && saving.own === undefined && isSame(kind, saving.base, written))
    return { kind: 'unchanged' };
  const { base, changes } = rebased(kind, saving);
  const now = await getRecord(service, kind, id);
  if (!now.ok) return ended(now.failure);
  let current = now.value;
  for (let attempt = 1; ; attempt += 1) {
    const mine = documentToWrite(kind, current, changes);
    if (mine === undefined) return { kind: 'gone' };
    if (isSame(kind, current, written)) return { kind: 'saved', record: current, isMerged: false };
    const merged = mergedWith(kind, base, current, changes, mine);
    if (merged === undefined) return { kind: 'conflict', current };
    const isMerged = written.form === 'json' && !equal(merged, written.document);
    if (equal(merged, documentOf(kind, current)))
      return { kind: 'saved', record: current, isMerged };
    const answer = await updateRecord(service, kind, id, updateBody(kind, current, merged));
    if (answer.ok) return { kind: 'saved', record: answer.value, isMerged };
    const { failure } = answer;
    if (failure.status !== 409 && failure.status !== 412) return ended(failure);
    // Merge again if the record has changed since it was read. Otherwise, the service rejected the write for another
    // reason.
    const again = await getRecord(service, kind, id);
    if (!again.ok || equal(documentOf(kind, current), documentOf(kind, again.value))) {
      return ended(failure);
    }
    current = again.value;
    if (attempt === ATTEMPTS_MAX) return { kind: 'conflict', current };
  }
}

/** Applies a document's changes to the record that another document in this window stored. */
export function rebased(
  kind: KindName,
  { base, own, written }: Saving,
): { readonly base: Members | undefined; readonly changes: Written } {
  if (base === undefined || own === undefined || written.form === 'apl')
    return { base: base && (own ?? base), changes: written };
  const sides = [base, own].map((record) => documentOf(kind, record)) as [Members, Members];
  const document = mergeKeepingMine(sides[0], written.document, sides[1]);
  return { base: own, changes: { form: 'json', document } };
}

/** Returns the merged document; undefined if both versions changed the same member or the base is unknown. */
function mergedWith(
  kind: KindName,
  base: Members | undefined,
  current: Members,
  changes: Written,
  mine: Members,
): Members | undefined {
  if (base === undefined) return undefined;
  if (changes.form === 'json') {
    return mergeDisjoint(documentOf(kind, base), mine, documentOf(kind, current));
  }
  const [before, now] = [base, current].map((one) => aplLocation(kind, one, changes.place)?.apl);
  return before === now ? mine : undefined;
}

/** Returns the document with the content to write; undefined if it lacks the piece of APL. */
function documentToWrite(kind: KindName, record: Members, written: Written): Members | undefined {
  if (written.form === 'json') return written.document;
  const document = documentOf(kind, record);
  const place = aplLocation(kind, document, written.place);
  if (place === undefined) return undefined;
  return withValueAt(document, place.path, written.apl) as Members;
}

function isSame(kind: KindName, record: Members, written: Written): boolean {
  if (written.form === 'json') return equal(documentOf(kind, record), written.document);
  return aplLocation(kind, record, written.place)?.apl === written.apl;
}

function ended(failure: Failure): SaveEnd {
  return failure.status === 404 ? { kind: 'gone' } : { kind: 'failed', failure };
}

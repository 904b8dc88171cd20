// One save of a resource: the record on the deployment is compared with the one that the document was made of, and
// changes of different members are merged. Nothing here knows VS Code.

import { aplLocation } from '../../../../resources/src/aplLocations.ts';
import { documentOf, updateBody } from '../../../../resources/src/documents.ts';
import type { KindName } from '../../../../resources/src/kinds.ts';
import { mergeDisjoint, mergeKeepingMine } from '../../../../resources/src/merge.ts';
import { equal, type Members, withValueAt } from '../../../../resources/src/value.ts';
import type { Failure } from '../../api/failure.ts';
import type { Service } from '../../api/service.ts';
import { getRecord, updateRecord } from '../calls.ts';

/** What a person wrote: the whole document, or one piece of its APL. */
export type Written =
  | { readonly form: 'json'; readonly document: Members }
  | { readonly form: 'apl'; readonly place: string; readonly apl: string };

export type SaveEnd =
  /** The record as the service answered with it. */
  | {
      readonly kind: 'saved';
      readonly record: Members;
      /** Whether the record also has changes that the written document lacks. */
      readonly isMerged: boolean;
    }
  /** Nothing was changed, so nothing was sent. */
  | { readonly kind: 'unchanged' }
  /** Somebody else changed the same member; `current` is the record on the deployment. Nothing was sent. */
  | { readonly kind: 'conflict'; readonly current: Members }
  /** The resource, or the piece of APL in it, is not there any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** A document to save, with the records that it is compared with. */
export interface Saving {
  /** The record that the document was made of. Without one, everything on the deployment differs. */
  readonly base: Members | undefined;
  /** The record as another document of this window stored it after `base`: its changes never conflict. */
  readonly own?: Members | undefined;
  readonly written: Written;
}

/** Reads and writes before a record that keeps changing is reported as a conflict. */
const ATTEMPTS_MAX = 3;

/**
 * Saves unless somebody else changed the same member. A version that the service counts closes the gap between reading
 * and writing.
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
    // Changed between reading and writing; or refused for another reason, and then nothing differs.
    const again = await getRecord(service, kind, id);
    if (!again.ok || equal(documentOf(kind, current), documentOf(kind, again.value))) {
      return ended(failure);
    }
    current = again.value;
    if (attempt === ATTEMPTS_MAX) return { kind: 'conflict', current };
  }
}

/** The changes of a document on top of those that this window stored after its base. */
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

/** The document to store; undefined if both sides changed the same member. */
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

/** The document with what was written; undefined where the piece of APL is not there. */
export function documentToWrite(
  kind: KindName,
  record: Members,
  written: Written,
): Members | undefined {
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

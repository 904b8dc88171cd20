// One save of a resource: what is there now is compared with what the document was made of, and only then changed.
// Nothing here knows VS Code.
import { change, documentOf } from '../../../../resources/src/documents.ts';
import type { KindName } from '../../../../resources/src/kinds.ts';
import { aplPlace } from '../../../../resources/src/places.ts';
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
  | { readonly kind: 'saved'; readonly record: Members }
  /** Nothing was changed, so nothing was sent. */
  | { readonly kind: 'unchanged' }
  /** Somebody else changed it meanwhile; `current` is what is there now. Nothing was sent. */
  | { readonly kind: 'conflict'; readonly current: Members }
  /** The resource, or the piece of APL in it, is not there any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * Saves unless what is there differs from `base`, the record that the document was made of; without a base
 * everything that is there differs. A version that the service counts closes the gap between the look and the
 * change.
 */
export async function saveResource(
  service: Service,
  kind: KindName,
  id: string,
  { base, written }: { readonly base: Members | undefined; readonly written: Written },
): Promise<SaveEnd> {
  if (base !== undefined && isSame(kind, base, written)) return { kind: 'unchanged' };
  const now = await getRecord(service, kind, id);
  if (!now.ok) return ended(now.failure);
  const current = now.value;
  const mine = documentToWrite(kind, current, written);
  if (mine === undefined) return { kind: 'gone' };
  if (isSame(kind, current, written)) return { kind: 'saved', record: current };
  if (base === undefined || hasChanged(kind, base, current, written)) {
    return { kind: 'conflict', current };
  }
  const answer = await updateRecord(service, kind, id, change(kind, current, mine));
  if (answer.ok) return { kind: 'saved', record: answer.value };
  const { failure } = answer;
  if (failure.status !== 409 && failure.status !== 412) return ended(failure);
  // Changed between the look and the change; or refused for another reason, and then nothing differs.
  const again = await getRecord(service, kind, id);
  return again.ok && hasChanged(kind, current, again.value, written)
    ? { kind: 'conflict', current: again.value }
    : ended(failure);
}

/** The document with what was written; undefined where the piece of APL is not there. */
export function documentToWrite(
  kind: KindName,
  record: Members,
  written: Written,
): Members | undefined {
  if (written.form === 'json') return written.document;
  const document = documentOf(kind, record);
  const place = aplPlace(kind, document, written.place);
  if (place === undefined) return undefined;
  return withValueAt(document, place.path, written.apl) as Members;
}

function isSame(kind: KindName, record: Members, written: Written): boolean {
  if (written.form === 'json') return equal(documentOf(kind, record), written.document);
  return aplPlace(kind, record, written.place)?.apl === written.apl;
}

/** Whether somebody changed what was written, or for a piece of APL that piece. */
function hasChanged(kind: KindName, base: Members, current: Members, written: Written): boolean {
  if (written.form === 'json') return !equal(documentOf(kind, base), documentOf(kind, current));
  const { place } = written;
  return aplPlace(kind, base, place)?.apl !== aplPlace(kind, current, place)?.apl;
}

function ended(failure: Failure): SaveEnd {
  return failure.status === 404 ? { kind: 'gone' } : { kind: 'failed', failure };
}

// The resources that refer to another by its identifier, such as monitors to a notifier: to name them before it is
// deleted, and to have them refer to it again once it is restored under another identifier.
import { change, documentOf } from '../../../../resources/src/documents.ts';
import { valuesAt } from '../../../../resources/src/folder/layout.ts';
import { idOf, type KindName, kindNames, kinds } from '../../../../resources/src/kinds.ts';
import {
  type Members,
  type Path,
  textAt,
  valueAt,
  withValueAt,
} from '../../../../resources/src/value.ts';
import type { Outcome } from '../../api/failure.ts';
import type { Service } from '../../api/service.ts';
import { inWords } from '../../inWords.ts';
import { getRecord, listRecords, updateRecord } from '../calls.ts';

export interface Referrer {
  readonly kind: KindName;
  readonly id: string;
  readonly name: string;
}

/** Finds what refers to a resource. A kind that the token may not read is left out. */
export async function referrersOf(
  service: Service,
  kind: KindName,
  id: string,
): Promise<readonly Referrer[]> {
  const found: Referrer[] = [];
  for (const other of kindNames) {
    if (!kinds[other].references?.some(({ to }) => to === kind)) continue;
    const answer = await listRecords(service, other, { all: true });
    if (!answer.ok) continue;
    for (const record of answer.value) {
      if (pathsTo(other, record, kind, id).length === 0) continue;
      const name = textAt(record, kinds[other].name) ?? '';
      found.push({ kind: other, id: idOf(other, record) ?? '', name });
    }
  }
  return found;
}

/** Replaces an identifier in what refers to it; undefined if it no longer does. Answers with the changed record. */
export async function refer(
  service: Service,
  { kind, id }: Referrer,
  to: KindName,
  { from, fresh }: { readonly from: string; readonly fresh: string },
): Promise<Outcome<Members | undefined>> {
  const now = await getRecord(service, kind, id);
  if (!now.ok) return now;
  const paths = pathsTo(kind, now.value, to, from);
  if (paths.length === 0) return { ok: true, value: undefined };
  const document = paths.reduce<unknown>(
    (before, path) => withValueAt(before, path, fresh),
    documentOf(kind, now.value),
  );
  return updateRecord(service, kind, id, change(kind, now.value, document as Members));
}

const NAMES_MAX = 3;

/** `the monitors 'a', 'b' and 'c'` */
export function referrersInWords(referrers: readonly Referrer[]): string {
  const nouns = [...new Set(referrers.map(({ kind }) => kind))].map((kind) => {
    const names = referrers.filter((one) => one.kind === kind).map(({ name }) => `'${name}'`);
    return `the ${names.length === 1 ? kinds[kind].noun : kinds[kind].plural} ${inWords(names, NAMES_MAX)}`;
  });
  return inWords(nouns);
}

function pathsTo(kind: KindName, record: Members, to: KindName, id: string): readonly Path[] {
  return (kinds[kind].references ?? [])
    .filter((reference) => reference.to === to)
    .flatMap(({ path }) => valuesAt(record, path, []))
    .filter((path) => valueAt(record, path) === id);
}

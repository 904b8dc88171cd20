// Resources that refer to another resource by its identifier, as monitors refer to notifiers. Deletions warn about
// them, and a restored resource's new identifier is written to them.
import { documentOf, updateBody } from '../../../../resources/src/documents.ts';
import { valuesAt } from '../../../../resources/src/folder/layout.ts';
import { idOf, type KindName, kindNames, kinds } from '../../../../resources/src/kinds.ts';
import {
  type Members,
  type Path,
  textAt,
  valueAt,
  withValueAt,
} from '../../../../resources/src/value.ts';
import type { Outcome } from '../../service/failure.ts';
import type { Service } from '../../service/service.ts';
import { inWords } from '../../words/lists.ts';
import { getRecord, listRecords, updateRecord } from '../calls.ts';

export interface Referrer {
  readonly kind: KindName;
  readonly id: string;
  readonly name: string;
}

export interface Referrers {
  readonly found: readonly Referrer[];
  readonly unread: readonly KindName[];
}

export async function referrersOf(
  service: Service,
  kind: KindName,
  id: string,
): Promise<Referrers> {
  const found: Referrer[] = [];
  const unread: KindName[] = [];
  for (const other of referringKinds(kind)) {
    const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
    const answer = await listRecords(service, other, { all: true, signal });
    if (!answer.ok) {
      unread.push(other);
      continue;
    }
    for (const record of answer.value) {
      if (pathsTo(other, record, kind, id).length === 0) continue;
      const name = textAt(record, kinds[other].name) ?? '';
      found.push({ kind: other, id: idOf(other, record) ?? '', name });
    }
  }
  return { found, unread };
}

/** The time limit for lists that the user waits for. */
const LIST_TIMEOUT_MS = 10_000;

export function referringKinds(kind: KindName): readonly KindName[] {
  return kindNames.filter((other) => kinds[other].references?.some(({ to }) => to === kind));
}

/** Replaces an identifier in a referring resource. Returns the changed record; undefined if it lacks the identifier. */
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
  return updateRecord(service, kind, id, updateBody(kind, now.value, document as Members));
}

const NAMES_MAX = 3;

/** Lists resources grouped by kind: `the monitors 'a', 'b' and 'c'`. */
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

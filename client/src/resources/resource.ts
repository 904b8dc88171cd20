// Converts resources to tree items.

import { aplLocations } from '../../../resources/src/aplLocations.ts';
import { idOf, type KindName, kinds, type ListItem } from '../../../resources/src/kinds.ts';
import type { Members } from '../../../resources/src/value.ts';
import type { Outcome } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import { type ListOptions, listRecords } from './calls.ts';
import { mappedInPieces, sortedInPieces } from './inPieces.ts';

export interface Resource extends ListItem {
  readonly kind: KindName;
  readonly id: string;
  /** The query, if the resource has exactly one. */
  readonly apl?: string;
}

/** Returns a record as a tree item. `now` is in milliseconds since 1970. */
export function resourceOf(kind: KindName, record: Members, now: number): Resource {
  const places = aplLocations(kind, record);
  const [only] = places;
  return {
    ...kinds[kind].show(record, now),
    kind,
    id: idOf(kind, record) ?? '',
    ...(only !== undefined && places.length === 1 && only.key === '' && { apl: only.apl }),
  };
}

export async function listResources(
  service: Service,
  kind: KindName,
  options: ListOptions = {},
): Promise<Outcome<readonly Resource[]>> {
  const answer = await listRecords(service, kind, options);
  if (!answer.ok) return answer;
  const now = Date.now();
  const resources = await mappedInPieces(answer.value, (record) => resourceOf(kind, record, now));
  return { ok: true, value: await inOrder(resources) };
}

let collator: Intl.Collator | undefined;

export async function inOrder(resources: readonly Resource[]): Promise<Resource[]> {
  // Create the collator with the first list, because it loads slowly.
  collator ??= new Intl.Collator(undefined, { numeric: true });
  const { compare } = collator;
  return sortedInPieces(resources, (a, b) => {
    const [first = '', second = ''] = [a.order, b.order];
    return first === second ? compare(a.name, b.name) : first < second ? -1 : 1;
  });
}

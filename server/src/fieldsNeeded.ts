/** Requests the fields of the datasets that a query names, and waits briefly for them. */
import type { Reference } from '../../language/src/index.ts';
import type { Snapshot } from './documents.ts';
import { orLate } from './frequentValues.ts';
import type { SchemaStore } from './schemas.ts';

/** Maximum time to wait for pending fields. After that, the response uses only known fields. */
const longestWaitMs = 1_500;

/** Requests the dataset list, and the fields of the datasets named by the query at an offset. */
export async function fieldsNeeded(
  schemas: SchemaStore,
  snapshot: Snapshot,
  offset: number,
): Promise<void> {
  const query = snapshot.queries.find(({ start, end }) => start <= offset && offset <= end + 1);
  const named = query === undefined ? [] : datasetNames(query.analysis.bound.references);
  const asked = [schemas.ensureDatasets(), ...named.map((name) => schemas.ensureFields(name))];
  await orLate(Promise.all(asked), longestWaitMs);
}

export function datasetNames(references: readonly Reference[]): string[] {
  const names = new Set<string>();
  for (const { meaning } of references) if (meaning.kind === 'dataset') names.add(meaning.name);
  return [...names];
}

/** Which datasets a query names, and waiting a little for their fields. */
import type { Reference } from '../../language/src/index.ts';
import type { Snapshot } from './documents.ts';
import type { SchemaStore } from './schemas.ts';

/** How long an answer waits for fields on their way before it is given with what is known. */
const longestWaitMs = 1_500;

/** Asks for the datasets, and for the fields of those that the query at an offset names. */
export async function fieldsNeeded(
  schemas: SchemaStore,
  snapshot: Snapshot,
  offset: number,
): Promise<void> {
  const query = snapshot.queries.find(({ start, end }) => start <= offset && offset <= end + 1);
  const named = query === undefined ? [] : datasetNames(query.analysis.bound.references);
  const asked = [schemas.ensureDatasets(), ...named.map((name) => schemas.ensureFields(name))];
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, longestWaitMs);
  });
  await Promise.race([Promise.all(asked), tooLong]);
  clearTimeout(timer);
}

/** The names of datasets among references, each once. */
export function datasetNames(references: readonly Reference[]): string[] {
  const names = new Set<string>();
  for (const { meaning } of references) if (meaning.kind === 'dataset') names.add(meaning.name);
  return [...names];
}

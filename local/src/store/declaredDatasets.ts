/** Makes the datasets of a file of declarations equal to it. */
import type { DeclaredDatasets } from '../engines/events.ts';
import { ApiError } from '../errors.ts';
import { newDocument } from '../newDataset.ts';
import type { Datasets } from './datasets.ts';
import type { Log } from './storedJson.ts';

/**
 * Creates, changes and deletes datasets. Reports declarations that can't be used, so that one missing table doesn't
 * prevent the start.
 */
export async function declareDatasets(
  datasets: Datasets,
  { file, datasets: declared }: DeclaredDatasets,
  isView: (name: string) => boolean,
  log: Log,
): Promise<void> {
  const names = new Set(declared.map(({ name }) => name));
  for (const { document } of datasets.list()) {
    const { name, source } = document;
    if (source?.file === file && !names.has(name)) await datasets.delete(name);
  }
  for (const { name, description = '', ...table } of declared) {
    const source = { ...table, file };
    const leaveOut = (why: string) =>
      log(`The dataset ${JSON.stringify(name)} of ${file} is left out. ${why}`);
    const existing = datasets.get(name)?.document;
    if (existing !== undefined && existing.source === undefined) {
      leaveOut('A dataset of this name stores its own events. Choose another name.');
    } else if (isView(name)) {
      leaveOut('A view has this name. Choose another name, or delete the view.');
    } else if (existing !== undefined && isEqual(existing.source, source)) {
      if (existing.description !== description)
        await datasets.update(name, (document) => ({ ...document, description }));
    } else {
      if (existing !== undefined) await datasets.delete(name);
      const document = newDocument({ name, description, source });
      await datasets.create(document).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        leaveOut(error.message);
      });
    }
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  const sorted = (value: unknown) =>
    JSON.stringify(value, (_, member) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([x], [y]) => (x < y ? -1 : 1)))
        : member,
    );
  return sorted(a) === sorted(b);
}

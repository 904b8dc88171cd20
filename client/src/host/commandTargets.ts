// Reads the arguments of commands: tree items, contexts of menus, or values of key bindings.

export interface DatasetTarget {
  readonly dataset: string;
  readonly field?: string;
}

/** Returns the dataset and field of a tree item, or the dataset with the given name. */
export function datasetTarget(given: unknown): DatasetTarget | undefined {
  if (typeof given === 'string') return { dataset: given };
  const { dataset, field } = (given ?? {}) as {
    dataset?: { name?: unknown } | string | null;
    field?: { name?: unknown };
  };
  const name = typeof dataset === 'string' ? dataset : dataset?.name;
  if (typeof name !== 'string') return undefined;
  return { dataset: name, ...(typeof field?.name === 'string' && { field: field.name }) };
}

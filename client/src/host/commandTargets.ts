// The arguments of commands: items of trees, contexts of menus, or values of key bindings.

export interface DatasetTarget {
  readonly dataset: string;
  readonly field?: string;
}

/** The dataset and field of a tree item, or the dataset of that name. */
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

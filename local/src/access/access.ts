/** Decides which datasets, views and documents a caller may read. */
import type { Document, ResourceKind } from '../store/resources.ts';
import type { Store } from '../store/store.ts';
import type { Capabilities } from './capabilities.ts';
import { type Subject, subjectOf } from './subjects.ts';

export const READ = 'query:read';

/** A document is visible only to tokens with this capability on all of its datasets. */
const neededCapability: { readonly [Kind in ResourceKind]?: string } = {
  monitor: READ,
  view: READ,
  annotation: READ,
  'saved query': 'starredQueries:read',
  'virtual field': 'virtualFields:read',
};

export class Access {
  readonly #store: Store;
  readonly #capabilities: Capabilities;

  constructor(store: Store, capabilities: Capabilities) {
    this.#store = store;
    this.#capabilities = capabilities;
  }

  /** Whether the caller has `query:read` on every dataset, and therefore on every view. */
  get isFull(): boolean {
    return this.#capabilities.onEveryDataset(READ);
  }

  /** Whether the caller has the capability on a dataset or view or, for a view, on all datasets that the view reads. */
  mayUse(name: string, capability: string): boolean {
    return this.#mayUse(name, capability, new Map());
  }

  /** Like `mayUse`. `known` has the results of visited views. Denies a view that reads itself, as it can't run. */
  #mayUse(name: string, capability: string, known: Map<string, boolean>): boolean {
    if (this.#capabilities.onEveryDataset(capability)) return true;
    const view = this.#viewOf(name);
    return view === undefined
      ? this.#capabilities.onDataset(name, capability)
      : this.#mayUseView(name, view, capability, known);
  }

  #mayUseView(
    name: string,
    view: Document,
    capability: string,
    known: Map<string, boolean>,
  ): boolean {
    if (this.#capabilities.onView(name, capability)) return true;
    const before = known.get(name);
    if (before !== undefined) return before;
    known.set(name, false);
    const { names, everything } = subjectOf('view', view);
    const may = everything
      ? this.#capabilities.onEveryDataset(capability)
      : names.every((each) => this.#mayUse(each, capability, known));
    known.set(name, may);
    return may;
  }

  // Returns the view, unless a dataset with the same name hides it.
  #viewOf(name: string): Document | undefined {
    if (this.#store.datasets.get(name) !== undefined) return undefined;
    return this.#store.resources.get<Document>('view', name);
  }

  /**
   * Returns the first of the subject's names on which the caller lacks the capability. Returns `*` for a subject that
   * may read any dataset, if the caller lacks the capability on some dataset.
   */
  forbiddenOf({ names, everything }: Subject, capability: string): string | undefined {
    if (everything) return this.#capabilities.onEveryDataset(capability) ? undefined : '*';
    return names.find((name) => !this.mayUse(name, capability));
  }

  /** Whether the caller may see a document. Documents that don't use datasets are visible to every caller. */
  maySee(kind: ResourceKind, id: string, document: Document): boolean {
    const need = neededCapability[kind];
    if (need === undefined) return true;
    if (kind === 'view') return this.#mayUseView(id, document, need, new Map());
    return this.forbiddenOf(subjectOf(kind, document), need) === undefined;
  }
}

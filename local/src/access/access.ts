/** What a caller may read of the datasets, the views and the documents about them. */
import type { Document, ResourceKind } from '../store/resources.ts';
import type { Store } from '../store/store.ts';
import type { Capabilities } from './capabilities.ts';
import { type Subject, subjectOf } from './subjects.ts';

export const READ = 'query:read';

/** Documents about datasets, and what a token needs on each of these to see them; the others need nothing. */
const needs: { readonly [Kind in ResourceKind]?: string } = {
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

  /** Whether nothing is kept from the caller. */
  get isFull(): boolean {
    return this.#capabilities.onEveryDataset(READ);
  }

  /**
   * Whether the caller may do something with what a name stands for. A view may be read by a capability of its
   * own, or because all that it reads may be.
   */
  mayUse(name: string, capability: string): boolean {
    return this.#mayUse(name, capability, new Map());
  }

  /** `known` has what was found for the views on the way; one that reads itself cannot be run. */
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

  // A dataset hides a view of its name.
  #viewOf(name: string): Document | undefined {
    if (this.#store.datasets.get(name) !== undefined) return undefined;
    return this.#store.resources.get<Document>('view', name);
  }

  /** A name of a subject that the caller may not use so; undefined where there is none. `*` stands for all. */
  forbiddenOf({ names, everything }: Subject, capability: string): string | undefined {
    if (everything) return this.#capabilities.onEveryDataset(capability) ? undefined : '*';
    return names.find((name) => !this.mayUse(name, capability));
  }

  /** Whether the caller may see a document: all the datasets that it is about, or for a view the view. */
  maySee(kind: ResourceKind, id: string, document: Document): boolean {
    const need = needs[kind];
    if (need === undefined) return true;
    if (kind === 'view') return this.#mayUseView(id, document, need, new Map());
    return this.forbiddenOf(subjectOf(kind, document), need) === undefined;
  }
}

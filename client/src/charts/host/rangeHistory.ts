/** The ranges that spans were chosen from in charts, so that one can go back: by the tab or cell whose range it is. */

const maxFormer = 50;

export class RangeHistory<Owner, Range> {
  readonly #former = new Map<Owner, Range[]>();

  push(owner: Owner, range: Range): void {
    const former = this.#former.get(owner) ?? [];
    this.#former.set(owner, [...former, range].slice(-maxFormer));
  }

  /** The range to go back to. */
  last(owner: Owner): Range | undefined {
    return this.#former.get(owner)?.at(-1);
  }

  /** Forgets the range to go back to, and returns it. */
  pop(owner: Owner): Range | undefined {
    return this.#former.get(owner)?.pop();
  }

  has(owner: Owner): boolean {
    return (this.#former.get(owner)?.length ?? 0) > 0;
  }

  forget(owners: Iterable<Owner>): void {
    for (const owner of owners) this.#former.delete(owner);
  }
}

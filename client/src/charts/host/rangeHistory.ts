/** The ranges that spans were chosen from in charts, by tab and as they were written, so that one can go back. */
import type { TabId } from '../../results/tabs.ts';

const maxFormer = 50;

export class RangeHistory {
  readonly #former = new Map<TabId, string[]>();

  push(tab: TabId, range: string): void {
    const former = this.#former.get(tab) ?? [];
    this.#former.set(tab, [...former, range].slice(-maxFormer));
  }

  /** The range to go back to, which is forgotten. */
  pop(tab: TabId): string | undefined {
    return this.#former.get(tab)?.pop();
  }

  has(tab: TabId): boolean {
    return (this.#former.get(tab)?.length ?? 0) > 0;
  }

  forget(tabs: readonly TabId[]): void {
    for (const tab of tabs) this.#former.delete(tab);
  }
}

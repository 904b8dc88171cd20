/** Counts the outcomes of comparisons of the two engines, and collects the differences. */
import type { Outcome } from './twoEngines.ts';

export class Counts {
  readonly #kinds = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  readonly different: string[] = [];

  add(outcome: Outcome, query: string): void {
    count(this.#kinds, outcome.kind);
    if (outcome.kind === 'different')
      this.different.push(`${query}\n${outcome.message.slice(0, 2_000)}`);
    if (outcome.kind === 'refused') count(this.#refused, outcome.feature);
    if (outcome.kind === 'refusedValue')
      count(this.#refused, /ClickHouse .*?(?=:)|re2/.exec(outcome.message)?.[0] ?? outcome.message);
  }

  get total(): number {
    return [...this.#kinds.values()].reduce((sum, n) => sum + n, 0);
  }

  /** The number of queries that ClickHouse answers as DuckDB does. */
  get answered(): number {
    return (this.#kinds.get('equal') ?? 0) + (this.#kinds.get('rounded') ?? 0);
  }

  /** Returns the counts, and the number of queries that were refused for each reason. */
  lines(): string[] {
    const refused = [...this.#refused].sort((a, b) => b[1] - a[1]);
    return [
      JSON.stringify(Object.fromEntries(this.#kinds)),
      ...refused.map(([reason, n]) => `refused ${n}: ${reason}`),
    ];
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

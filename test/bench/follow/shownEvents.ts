/** Reads the numbers of the events as they are shown, and checks that each follows the one before it. */
import type { AnswerId, DrawnWindow } from '../../../client/src/answers/protocol.ts';
import type { ResultsStore } from '../../../client/src/answers/resultsStore.ts';

const windowRows = 1_000;
const maxProblems = 20;

export class ShownEvents {
  readonly problems: string[] = [];
  first = -1;
  last = -1;
  count = 0;
  readonly #store: ResultsStore;
  readonly #answer: () => AnswerId | undefined;
  readonly #subscription: { dispose(): void };
  /** Rows that were read, with those that were removed. */
  #read = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(store: ResultsStore, answer: () => AnswerId | undefined) {
    this.#store = store;
    this.#answer = answer;
    this.#subscription = store.onDidChange((event) => {
      if (event.type === 'changed') void this.read();
    });
    void this.read();
  }

  get answer(): AnswerId | undefined {
    return this.#answer();
  }

  /** Reads what is there by now. */
  read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#next());
    return this.#reading;
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #next(): Promise<void> {
    const answer = this.answer;
    const held = answer === undefined ? undefined : this.#store.get(answer);
    const [table] = held?.head.tables ?? [];
    if (answer === undefined || table === undefined) return;
    const column = table.fields.findIndex(({ name }) => name === 'n');
    const removed = table.removedRows ?? 0;
    if (removed > this.#read && this.count > 0)
      this.#problem(`Rows ${this.#read} to ${removed} were removed before they were read.`);
    this.#read = Math.max(this.#read, removed);
    while (this.#read < removed + table.rowCount) {
      const from = this.#read - removed;
      const window: DrawnWindow = await this.#store.rows('window', {
        answer,
        table: 0,
        from,
        to: Math.min(from + windowRows, table.rowCount),
        columns: [column],
        timeZone: 'utc',
      });
      // Rows may have been removed meanwhile; the next reading begins where this one ends.
      if (window.numbers[0] !== this.#read) return;
      for (const [text] of window.rows) this.#take(Number(text));
      this.#read += window.rows.length;
      if (window.rows.length === 0) return;
    }
  }

  #take(n: number): void {
    if (this.count === 0) this.first = n;
    else if (n !== this.last + 1) this.#problem(`Event ${n} is shown after event ${this.last}.`);
    this.last = n;
    this.count += 1;
  }

  #problem(text: string): void {
    if (this.problems.length < maxProblems) this.problems.push(text);
  }
}

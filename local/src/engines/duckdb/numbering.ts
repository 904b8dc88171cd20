/**
 * Converts row numbers after trims. DuckDB numbers a table's rows in the order of their commits, and cursors contain
 * these numbers. When a checkpoint omits deleted rows, DuckDB renumbers the remaining rows. Rows are therefore never
 * deleted from a dataset's table. Instead, a trim copies the remaining rows to a table with a new numbering, and
 * records the removed rows, so that a number from an earlier numbering can be converted.
 */
import type { NumberedRows } from '../events.ts';
import type { Session } from './database/session.ts';

export class Numberings {
  /** For each earlier numbering, the numbering that replaced it, or null if the dataset was deleted. */
  readonly #next = new Map<number, number | null>();

  static async open(session: Session): Promise<Numberings> {
    await session.run(
      'CREATE TABLE IF NOT EXISTS aplomb.renumbered (numbering INTEGER, next INTEGER)',
    );
    await session.run('CREATE TABLE IF NOT EXISTS aplomb.trimmed (numbering INTEGER, row BIGINT)');
    const numberings = new Numberings();
    const rows = await session.rows<[number, number | null]>('SELECT * FROM aplomb.renumbered');
    for (const [numbering, next] of rows) numberings.#next.set(numbering, next);
    return numberings;
  }

  /** The greatest numbering that is no longer in use, or 0 if there is none. */
  get greatest(): number {
    return Math.max(0, ...this.#next.keys());
  }

  /** Records a trim in its transaction. `rows` is SQL that lists the removed rows. Returns the number of the rows. */
  async record(session: Session, numbering: number, next: number, rows: string): Promise<number> {
    await session.run('INSERT INTO aplomb.renumbered VALUES (?, ?)', [numbering, next]);
    return session.run(
      `INSERT INTO aplomb.trimmed SELECT ${numbering}, row FROM (${rows}) AS t(row)`,
    );
  }

  /** Records the end of a numbering in the transaction that deletes the dataset. */
  async recordEnd(session: Session, numbering: number): Promise<void> {
    const all = [...this.#predecessors(numbering), numbering].join(', ');
    await session.run(`DELETE FROM aplomb.trimmed WHERE numbering IN (${all})`);
    await session.run(`DELETE FROM aplomb.renumbered WHERE numbering IN (${all})`);
    await session.run('INSERT INTO aplomb.renumbered VALUES (?, NULL)', [numbering]);
  }

  publish(numbering: number, next: number | null): void {
    if (next === null)
      for (const before of this.#predecessors(numbering)) this.#next.delete(before);
    this.#next.set(numbering, next);
  }

  /** Converts row numbers to the current numbering. A removed row becomes the closest remaining row before it. */
  async current(session: Session, { numbering, rows }: NumberedRows): Promise<NumberedRows> {
    let now = numbering;
    let numbers = rows;
    for (let next = this.#next.get(now); next != null; next = this.#next.get(now)) {
      const counts = numbers.map((row) => `count(*) FILTER (row <= ${row})`);
      const [trimmed] = await session.rows<bigint[]>(
        `SELECT ${counts.join(', ')} FROM aplomb.trimmed WHERE numbering = ${now}`,
      );
      numbers = numbers.map((row, i) => row - trimmed![i]!);
      now = next;
    }
    return { numbering: now, rows: numbers };
  }

  #predecessors(numbering: number): number[] {
    const [before] = [...this.#next].find(([, next]) => next === numbering) ?? [];
    return before === undefined ? [] : [...this.#predecessors(before), before];
  }
}

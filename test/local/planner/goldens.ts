/**
 * Goldens of the planner: a query, the SQL that it becomes, the columns, and the rows that DuckDB answers.
 * A file holds many, each under `=== name`. `UPDATE_GOLDENS=1` writes what is computed into the files, to
 * be read in the diff.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Golden {
  readonly name: string;
  readonly query: string;
  /** Everything below the query, as it should be. */
  readonly expected: string;
}

export interface GoldenFile {
  readonly path: string;
  readonly name: string;
  readonly goldens: readonly Golden[];
}

const folder = join(import.meta.dirname, 'goldens');

export function readGoldens(): readonly GoldenFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.golden'))
    .sort()
    .map((name) => readGoldenFile(join(folder, name)));
}

export function readGoldenFile(path: string): GoldenFile {
  return { path, name: basename(path), goldens: parse(readFileSync(path, 'utf8')) };
}

function parse(text: string): Golden[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [head = '', ...rest] = block.split(/^--- /m);
      const [name = '', ...query] = head.split('\n');
      const expected = rest.map((part) => `--- ${part}`).join('');
      return { name: name.trim(), query: query.join('\n').trim(), expected: expected.trim() };
    });
}

/** Writes a file anew with the outcomes that were computed, in the order of its goldens. */
export function writeGoldens(file: GoldenFile, outcomes: readonly string[]): void {
  const blocks = file.goldens.map(
    (golden, i) => `=== ${golden.name}\n${golden.query}\n${outcomes[i]}\n`,
  );
  writeFileSync(file.path, blocks.join('\n'));
}

/** The queries of the public documentation of APL, with the output that its pages show. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Entry {
  readonly page: string;
  readonly line: number;
  readonly kind: 'query' | 'fragment' | 'expression';
  readonly query: string;
  /** Why the block is suspect as it is written. */
  readonly issues?: readonly string[];
  readonly outputTable?: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
  readonly outputJson?: readonly { readonly text: string }[];
}

/** All entries of the corpus in `folder`, which APLOMB_CORPORA names. */
export function readEntries(folder = process.env['APLOMB_CORPORA'] ?? ''): readonly Entry[] {
  return readFileSync(join(folder, 'corpus/apl-docs.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** An entry's name: no two entries share page and line. */
export function nameOf({ page, line }: Entry): string {
  return `${page}:${line}`;
}

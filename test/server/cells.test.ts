/** Notebook cells: the lets of a cell are visible in the cells below it, and nothing else is. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SourceText } from '../../language/src/index.ts';
import { type CellScope, CellScopes, emptyScope } from '../../server/src/cells.ts';
import { Documents, type Snapshot } from '../../server/src/documents.ts';
import { cellQueries } from '../../server/src/features/cellQueries.ts';
import { codeLenses } from '../../server/src/features/codeLens.ts';
import { completion } from '../../server/src/features/completion.ts';
import { inCellAbove } from '../../server/src/features/definition.ts';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { hover } from '../../server/src/features/hover.ts';
import { rename, renameInCells } from '../../server/src/features/rename.ts';
import { cursor, schema, shownDiagnostic, textAt } from './marked.ts';

/** A notebook that is analyzed as the server analyzes it, and can be edited. */
class Notebook {
  readonly #documents = new Documents();
  readonly #scopes = new CellScopes();
  readonly #texts: string[];
  readonly #versions: number[];

  constructor(...texts: string[]) {
    this.#texts = texts;
    this.#versions = texts.map(() => 1);
  }

  edit(index: number, text: string): void {
    this.#texts[index] = text;
    this.#versions[index] = (this.#versions[index] ?? 0) + 1;
  }

  get cells(): Snapshot[] {
    let scope: CellScope = emptyScope;
    return this.#texts.map((text, i) => {
      const document = {
        uri: `cell:${i}`,
        version: this.#versions[i] as number,
        text: new SourceText(text),
      };
      const snapshot = this.#documents.snapshot(document, schema, undefined, scope);
      scope = this.#scopes.below(snapshot, scope);
      return snapshot;
    });
  }

  cell(index: number): Snapshot {
    return this.cells[index] ?? assert.fail(`no cell ${index}`);
  }

  /** Returns the problems of all cells as `cell code "text"`. */
  get problems(): string[] {
    return this.cells.flatMap((snapshot, i) =>
      diagnostics(snapshot).map((one) => `${i} ${shownDiagnostic(snapshot.text, one)}`),
    );
  }

  /** Returns the text and the lets to send for each query of a cell. */
  sent(index: number) {
    const { cells } = this;
    return cellQueries(cells[index] as Snapshot, (uri) => cells.find((one) => one.uri === uri));
  }
}

const slow = "let slow = ['http-logs'] | where duration > limit_ms";
const limit = 'let limit_ms = 100;';

describe('notebook cells', () => {
  it('can use the lets of the cells above, with their types and columns', () => {
    const notebook = new Notebook(limit, `${slow};`, 'slow | where statsu > 1 | count');
    assert.deepEqual(notebook.problems, ['2 unknown-column "statsu"']);
  });

  it("can't use lets of later cells or deleted lets", () => {
    const notebook = new Notebook('slow | count', `${slow};`, limit);
    assert.deepEqual(notebook.problems, [
      '0 unknown-dataset "slow"',
      '1 unknown-column "limit_ms"',
    ]);
    notebook.edit(0, limit);
    assert.deepEqual(notebook.problems, []);
  });

  it("don't report unused lets, because a later cell may use them", () => {
    assert.deepEqual(new Notebook(limit).problems, []);
  });

  it('are reanalyzed after an edit of a cell above only if the edit changes a let', () => {
    const notebook = new Notebook(`${limit}\n['http-logs'] | count`, 'print limit_ms');
    const before = notebook.cell(1);
    notebook.edit(0, `// more\n${limit}\n['http-logs'] | where status > limit_ms | count`);
    assert.equal(notebook.cell(1), before);
    notebook.edit(0, 'let limit_ms = 200;');
    assert.notEqual(notebook.cell(1).queries[0]?.analysis, before.queries[0]?.analysis);
  });

  it('send a query with only the lets that it needs, in order', () => {
    const notebook = new Notebook(`${limit} let other = 1;`, `${slow};`, 'slow | count');
    const [query] = notebook.sent(2);
    assert.equal(query?.text, `${limit}\n${slow};\nslow | count`);
    assert.equal(query?.text.slice(query.above), 'slow | count');
    assert.deepEqual(
      query?.lets.map(({ name, uri, offset, length }) => [
        name,
        uri,
        query.text.slice(offset, offset + length),
      ]),
      [
        ['limit_ms', 'cell:0', 'let limit_ms = 100'],
        ['slow', 'cell:1', slow],
      ],
    );
  });

  it('send an entire let even if a comment precedes its semicolon', () => {
    const notebook = new Notebook('let limit_ms = 100 // slow\n;', 'print limit_ms');
    assert.equal(notebook.sent(1)[0]?.text, 'let limit_ms = 100 // slow\n;\nprint limit_ms');
  });

  it("report a let's current range after an edit above the let", () => {
    const notebook = new Notebook(limit, 'print limit_ms');
    notebook.edit(0, `// the limit\n\n${limit}`);
    assert.deepEqual(notebook.sent(1)[0]?.lets[0]?.range.start, { line: 2, character: 0 });
  });

  it('use the nearest preceding let of a name, and report a conflict if a query needs two lets of that name', () => {
    const shadowed = new Notebook(limit, 'let limit_ms = 5;', 'print limit_ms');
    assert.equal(shadowed.sent(2)[0]?.text, 'let limit_ms = 5;\nprint limit_ms');
    const both = new Notebook(limit, `${slow};`, 'let limit_ms = 5;', 'slow | take limit_ms');
    assert.equal(both.sent(3)[0]?.conflict, 'limit_ms');
    assert.equal(new Notebook(limit, `${slow};`, 'slow | count').sent(2)[0]?.conflict, undefined);
  });

  it('can redeclare a let of an earlier cell unless they have already used that let', () => {
    assert.deepEqual(new Notebook(limit, 'let limit_ms = 5; print limit_ms').problems, []);
    assert.deepEqual(new Notebook(limit, 'let limit_ms = limit_ms + 5;').problems, [
      '1 declared-twice "limit_ms"',
    ]);
  });

  it('report whether they run a query or only declare lets', () => {
    const [lets, query] = new Notebook(`${limit}`, 'print 1').cells.map(
      (cell) => cellQueries(cell, () => undefined)[0],
    );
    assert.deepEqual([lets?.runs, lets?.declares], [false, ['limit_ms']]);
    assert.deepEqual([query?.runs, query?.declares], [true, []]);
  });

  it('offer the lets of cells above in completion', () => {
    for (const marked of ['slow | where $0', '$0', 'slow | join (s$0) on status']) {
      const { text, offset } = cursor(marked);
      const notebook = new Notebook(limit, `${slow};`, text);
      const labels = completion(notebook.cell(2), offset).items.map(({ label }) => label);
      assert.ok(labels.includes(marked.includes('where') ? 'limit_ms' : 'slow'), marked);
    }
  });

  it('show a let of a cell above on hover', () => {
    const notebook = new Notebook(limit, 'print limit_ms');
    assert.match(JSON.stringify(hover(notebook.cell(1), 8)), /let limit_ms: long = 100/);
  });

  it('resolve a name to the cell that declares it', () => {
    const notebook = new Notebook(`// limits\n${limit}`, 'print limit_ms');
    const [found] = inCellAbove(notebook.cell(1), 8, (uri) =>
      notebook.cells.find((one) => one.uri === uri),
    );
    assert.equal(found?.uri, 'cell:0');
    assert.equal(found && textAt(notebook.cell(0).text, found.range), 'limit_ms');
  });

  it('can rename a column even in a query with lets of cells above', () => {
    const notebook = new Notebook(limit, 'print a = limit_ms | extend b = a + 1 | project a, b');
    const edit = rename(notebook.cell(1), 6, 'renamed');
    assert.ok('changes' in edit, JSON.stringify(edit));
    assert.equal(edit.changes?.['cell:1']?.length, 3);
  });

  it('rename a let in every cell that uses it, but not where a cell redeclares it', () => {
    const notebook = new Notebook(limit, `${slow};`, 'let limit_ms = 1; print limit_ms', 'slow');
    const { cells } = notebook;
    const edit = renameInCells(cells[0] as Snapshot, 5, 'most', cells);
    assert.ok('changes' in edit, JSON.stringify(edit));
    assert.deepEqual(
      Object.entries(edit.changes ?? {}).map(([uri, edits]) => [
        uri,
        edits.map(({ newText }) => newText),
      ]),
      [
        ['cell:0', ['most']],
        ['cell:1', ['most']],
      ],
    );
    const taken = renameInCells(cells[0] as Snapshot, 5, 'duration', cells);
    assert.match(JSON.stringify(taken), /means something else there/);
    const declared = renameInCells(cells[1] as Snapshot, 5, 'limit_ms', cells);
    assert.ok('refusal' in declared, JSON.stringify(declared));
  });

  it('have no code lenses', () => {
    const settings = { runLens: true, stageLens: true };
    assert.deepEqual(codeLenses(new Notebook('print 1').cell(0), settings), []);
  });
});

/** Stored runs of cells: restored by index and text, and erased with their cell, notebook or outputs. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type * as vscode from 'vscode';
import {
  type CellLike,
  digest,
  filesOf,
  KeptOutputs,
  type KeptRun,
} from '../../../client/src/notebook/keptOutputs.ts';
import { bodyOf } from '../../table/tables.ts';
import { arrive, newStore } from '../store/stores.ts';

const body = bodyOf([['id', 'integer', ['1', '2']]]);
// A closed window may still be erasing files, and logs this warning.
const log = { warn: (message: string) => assert.match(message, /The results were closed/) };

/** A cell whose text and index tests change. */
class Cell implements CellLike {
  readonly notebook: { readonly uri: string };
  readonly document = { getText: () => this.text };
  text: string;
  index: number;

  constructor(notebook: string, text: string, index: number) {
    this.notebook = { uri: notebook };
    this.text = text;
    this.index = index;
  }
}

/** Opens windows of one workspace, one after the other. */
async function workspace(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'outputs-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const values = new Map<string, unknown>();
  const memory = {
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
  } as unknown as vscode.Memento;
  const window = () => {
    const store = newStore({ disk: { folder, maxBytes: 10_000_000 } });
    const kept = new KeptOutputs<Cell>({ memory, store, log });
    t.after(() => store.dispose());
    return {
      store,
      kept,
      open: (notebook: string, ...texts: string[]) => {
        const cells = texts.map((text, index) => new Cell(notebook, text, index));
        kept.open(notebook, cells);
        return cells;
      },
      /** Runs a cell, and returns the file of its answer. */
      run: async (cell: Cell | undefined) => {
        assert.ok(cell);
        const answer = await arrive(store, body, { keep: true });
        const file = answer.kept ?? '';
        kept.ran(cell, runOf(cell.text, file));
        return file;
      },
      close: async () => {
        kept.dispose();
        await store.dispose();
      },
    };
  };
  /** Waits until `count` answers are on disk, and returns their file names. */
  const files = async (count: number): Promise<string[]> => {
    for (const end = Date.now() + 10_000; ; ) {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
      if (names.length === count || Date.now() > end)
        return names.map((name) => name.slice(0, -'.json'.length)).sort();
      await setTimeout(10);
    }
  };
  return { window, files, values, folder };
}

function runOf(text: string, file: string): KeptRun {
  const query = { text, title: text };
  const summary = { order: 3, startedAt: 1_000, endedAt: 2_000, success: true };
  return { ...summary, textDigest: digest(text), outputs: [{ query, file }] };
}

const fileOf = (run: KeptRun | undefined) => run && filesOf(run)[0];
const a = 'file:///a.aplnb';

describe('stored runs of notebook cells', () => {
  it('are restored after a reload with their results and summaries', async (t) => {
    const { window } = await workspace(t);
    const before = window();
    const file = await before.run(before.open(a, 'print 1')[0]);
    await before.close();
    const after = window();
    const [cell] = after.open(a, 'print 1');
    const run = cell && after.kept.runOf(cell);
    assert.deepEqual(run, { ...runOf('print 1', file), index: 0 });
    const { head } = await after.store.restoreKept(file);
    assert.equal(head.tables[0]?.rowCount, 2);
  });

  it('are restored in the cells that contain the executed text, even if those cells have moved', async (t) => {
    const { window, files } = await workspace(t);
    const before = window();
    const [one, two, three] = before.open(a, 'print 1', 'print 2', 'print 1');
    const ran = [await before.run(one), await before.run(two), await before.run(three)];
    await before.close();
    const after = window();
    const cells = after.open(a, 'print 0', 'print 3', 'print 1', 'print 1');
    assert.deepEqual(
      cells.map((cell) => fileOf(after.kept.runOf(cell))),
      [undefined, undefined, ran[2], ran[0]],
    );
    assert.deepEqual(await files(2), [ran[0], ran[2]].sort());
  });

  it('are not shown for an edited cell, unless the edit is undone', async (t) => {
    const { window, files } = await workspace(t);
    const before = window();
    const [cell] = before.open(a, 'print 1\nprint 2');
    assert.ok(cell);
    const file = await before.run(cell);
    cell.text = 'print 3';
    assert.equal(before.kept.runOf(cell), undefined);
    cell.text = 'print 1\r\nprint 2';
    assert.equal(fileOf(before.kept.runOf(cell)), file);
    await before.close();
    const after = window();
    const [edited] = after.open(a, 'print 3');
    assert.equal(edited && after.kept.runOf(edited), undefined);
    assert.deepEqual(await files(0), []);
  });

  it('are deleted when their cell runs again or its outputs are cleared, and runs of other cells are kept', async (t) => {
    const { window, files } = await workspace(t);
    const before = window();
    const [one, two, three] = before.open(a, 'print 1', 'print 2', 'print 3');
    assert.ok(one && two && three);
    await before.run(one);
    await before.run(two);
    await before.run(three);
    const again = await before.run(one);
    assert.equal((await files(3)).length, 3);
    before.kept.forget([two]);
    assert.equal((await files(2)).length, 2);
    before.kept.forget([three]);
    assert.deepEqual(await files(1), [again]);
    await before.close();
    const after = window();
    const cells = after.open(a, 'print 1', 'print 2', 'print 3');
    const found = cells.map((cell) => fileOf(after.kept.runOf(cell)));
    assert.deepEqual(found, [again, undefined, undefined]);
  });

  it('are kept while their notebook is closed, and restored at the last index of each cell', async (t) => {
    const { window } = await workspace(t);
    const before = window();
    const [, cell] = before.open(a, 'print 1', 'print 1');
    assert.ok(cell);
    const file = await before.run(cell);
    cell.index = 2;
    before.kept.moved(a);
    before.kept.close(a);
    before.kept.forget([cell]);
    await before.close();
    const after = window();
    const cells = after.open(a, 'print 1', 'print 1', 'print 1');
    const found = cells.map((place) => fileOf(after.kept.runOf(place)));
    assert.deepEqual(found, [undefined, undefined, file]);
  });

  it('are deleted when their notebook or its folder is deleted', async (t) => {
    const { window, files } = await workspace(t);
    const opened = window();
    const inFolder = 'file:///folder/b.aplnb';
    const beside = 'file:///folder-2/b.aplnb';
    for (const notebook of [a, inFolder]) {
      await opened.run(opened.open(notebook, 'print 1')[0]);
      opened.kept.close(notebook);
    }
    const [cell] = opened.open(beside, 'print 1');
    const file = await opened.run(cell);
    opened.kept.delete('file:///folder');
    opened.kept.delete(a);
    assert.deepEqual(await files(1), [file]);
    opened.kept.delete(beside);
    assert.equal(cell && opened.kept.runOf(cell), undefined);
    assert.deepEqual(await files(0), []);
  });

  it('move with a renamed folder, even if their notebook is already open at the new path', async (t) => {
    const { window, files } = await workspace(t);
    const opened = window();
    const old = 'file:///old/a.aplnb';
    const file = await opened.run(opened.open(old, 'print 1')[0]);
    opened.open('file:///new/a.aplnb', 'print 1');
    opened.kept.move('file:///old', 'file:///new');
    opened.kept.close(old);
    const [cell] = opened.open('file:///new/a.aplnb', 'print 1');
    assert.equal(fileOf(cell && opened.kept.runOf(cell)), file);
    const [former] = opened.open(old, 'print 1');
    assert.equal(former && opened.kept.runOf(former), undefined);
    assert.deepEqual(await files(1), [file]);
  });

  it('are deleted as soon as they end if their cell was removed or their notebook was closed', async (t) => {
    const { window, files, values } = await workspace(t);
    const opened = window();
    const [one, two] = opened.open(a, 'print 1', 'print 2');
    assert.ok(one && two);
    one.index = -1;
    await opened.run(one);
    opened.kept.close(a);
    await opened.run(two);
    assert.deepEqual(await files(0), []);
    assert.deepEqual([...values.values()], []);
  });

  it('are deleted when all stored results are erased', async (t) => {
    const { window, values } = await workspace(t);
    const opened = window();
    const [cell] = opened.open(a, 'print 1');
    await opened.run(cell);
    await opened.run(opened.open('file:///b.aplnb', 'print 2')[0]);
    opened.kept.close('file:///b.aplnb');
    await opened.store.eraseKept('all');
    assert.equal(cell && opened.kept.runOf(cell), undefined);
    assert.deepEqual([...values.values()], ['[]']);
  });

  it('are not restored if their stored data is damaged, and undamaged runs still are', async (t) => {
    const { window, values, files } = await workspace(t);
    const before = window();
    const [one, two] = before.open(a, 'print 1', 'print 2');
    await before.run(one);
    const file = await before.run(two);
    await before.close();
    const [[key, text] = ['', '']] = values as Iterable<[string, string]>;
    const list = JSON.parse(text);
    delete list[0].cells[0].outputs[0].query;
    const damages = ['{', '7', '[null, {"notebook": 1}, {"notebook": "x", "cells": [null, {}]}]'];
    for (const damaged of damages) {
      values.set(key, damaged);
      const [cell] = window().open(a, 'print 1');
      assert.equal(cell && window().kept.runOf(cell), undefined, damaged);
    }
    values.set(key, JSON.stringify(list));
    const after = window();
    const cells = after.open(a, 'print 1', 'print 2');
    const found = cells.map((cell) => fileOf(after.kept.runOf(cell)));
    assert.deepEqual(found, [undefined, file]);
    assert.equal((await files(2)).length, 2);
  });

  it('have results that cannot be loaded if their files are missing or damaged', async (t) => {
    const { window, folder } = await workspace(t);
    const before = window();
    const [one, two] = before.open(a, 'print 1', 'print 2');
    const missing = await before.run(one);
    const cut = await before.run(two);
    await before.close();
    await rm(join(folder, `${missing}.body`));
    await writeFile(join(folder, `${cut}.json`), '{');
    const { store } = window();
    for (const file of [missing, cut])
      await assert.rejects(store.restoreKept(file), { code: 'file' });
  });

  it('are kept for the 100 notebooks that were executed last', async (t) => {
    const { window } = await workspace(t);
    const before = window();
    const names = Array.from({ length: 101 }, (_, at) => `file:///${at}.aplnb`);
    for (const name of names) {
      const [cell] = before.open(name, 'print 1');
      assert.ok(cell);
      before.kept.ran(cell, { ...runOf('print 1', ''), outputs: [] });
      before.kept.close(name);
    }
    await before.close();
    const after = window();
    const open = names.filter((name) =>
      after.open(name, 'print 1').some((cell) => after.kept.runOf(cell)),
    );
    assert.deepEqual(open, names.slice(1));
  });
});

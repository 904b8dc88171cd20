/**
 * A foreign folder with links under another spelling of the names that an export writes: a file system that ignores
 * case or the form of characters would write through them, so the folder is refused and nothing is written.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diskFiles } from '../../cli/src/resources/diskFiles.ts';
import { deploymentStore } from '../../client/src/resources/folders/deploymentStore.ts';
import { type FolderFiles, foldedPath, MARKER } from '../../resources/src/folder/files.ts';
import { planPull, writePull } from '../../resources/src/folder/pull.ts';
import { readFolder } from '../../resources/src/folder/readFolder.ts';
import { Folder } from '../cli/run.ts';
import { json, LoopbackServer } from '../client/loopback.ts';
import { needs } from '../platform.ts';

const marker = JSON.stringify({ format: 1, kinds: ['monitors'] });
const monitors = [{ id: 'm1', name: 'errors', type: 'Threshold', aplQuery: "['logs']" }];
const start = () => LoopbackServer.start((response) => json(response, 200, monitors));
const noSyntax = async (queries: readonly string[]) => queries.map(() => undefined);

/** Spellings that Windows, macOS or a normalizing file system take for a file of an export, or a link that may be one. */
const links = [
  'Aplomb.json',
  'APLOMB.JSON',
  'aplomb.json',
  'Aplomb.Lock.json',
  '\uff41plomb.json',
  'aplomb.loc\u212a.json',
  'aplomb\u200c.json',
  'APLOMB~1.JSO',
  'Monitors',
  'mon\u0131tors',
];

/** A folder in memory as a file system gives it that ignores case and the form of characters. */
function folding(link: string) {
  const key = (path: string) => foldedPath(path.replaceAll('\u200c', ''));
  const held = new Map([[link, 'private']]);
  const own = (path: string) => [...held.keys()].find((each) => key(each) === key(path)) ?? path;
  const files: FolderFiles = {
    list: async () => [...held.keys()].map((path) => ({ path, isLink: path === link })),
    read: async (path) => held.get(own(path)),
    write: async (path, text) => void held.set(own(path), text),
    remove: async (path) => void held.delete(own(path)),
  };
  return { files, held };
}

describe('an export into a folder with a link', () => {
  for (const link of links) {
    it(`writes nothing through ${JSON.stringify(link)}`, async () => {
      await using server = await start();
      const { files, held } = folding(link);
      const exporting = planPull(deploymentStore(server.service()), files, ['monitors']).then(
        (plan) => writePull(plan, files, { removeStale: true }),
      );
      await assert.rejects(exporting, { name: 'FolderError', message: /is a link, through which/ });
      assert.deepEqual([...held], [[link, 'private']]);
    });
  }

  it('is refused by aplomb pull and aplomb push', { skip: needs.links }, async () => {
    await using server = await start();
    const folder = new Folder();
    try {
      folder.files({ 'private.txt': 'private', 'repo/README.md': 'Resources' });
      symlinkSync(join('..', 'private.txt'), join(folder.path, 'repo', 'Aplomb.json'));
      const env = { APLOMB_TOKEN: 'xaat-test' };
      for (const command of ['pull', 'push']) {
        const { status, err } = await folder.run([command, 'repo', '--url', server.url], '', env);
        assert.equal(status, 1);
        assert.match(err, /is a link, through which other files would be written/);
      }
      assert.deepEqual(readdirSync(join(folder.path, 'repo')).sort(), ['Aplomb.json', 'README.md']);
      assert.equal(readFileSync(join(folder.path, 'private.txt'), 'utf8'), 'private');
    } finally {
      folder.remove();
    }
  });

  it('is refused if the folder of a kind has another spelling', async () => {
    for (const path of ['MONITORS/errors.json', '\uff4donitors/errors.json']) {
      const files: FolderFiles = {
        list: async () => [
          { path: MARKER, isLink: false },
          { path, isLink: true },
        ],
        read: async () => marker,
        write: () => assert.fail('nothing is written'),
        remove: () => assert.fail('nothing is removed'),
      };
      await using server = await start();
      const exporting = planPull(deploymentStore(server.service()), files, ['monitors']);
      await assert.rejects(exporting, /is a link/);
    }
  });
});

describe('a link that appears after the export was planned', () => {
  for (const [link, target] of [
    ['monitors', 'outside'],
    [MARKER, 'private.txt'],
  ] as const) {
    it(`is not followed: ${link}`, { skip: needs.links }, async () => {
      await using server = await start();
      const folder = new Folder();
      try {
        folder.files({ 'private.txt': 'private', 'outside/note.txt': 'private' });
        mkdirSync(join(folder.path, 'repo'));
        const files = diskFiles(join(folder.path, 'repo'));
        const plan = await planPull(deploymentStore(server.service()), files, ['monitors']);
        symlinkSync(join('..', target), join(folder.path, 'repo', link));
        const written = writePull(plan, files, { removeStale: true });
        await assert.rejects(written, { name: 'FolderError', message: /is a link, through which/ });
        assert.deepEqual(readdirSync(join(folder.path, 'outside')), ['note.txt']);
        assert.equal(readFileSync(join(folder.path, 'private.txt'), 'utf8'), 'private');
      } finally {
        folder.remove();
      }
    });
  }
});

describe('a file whose name differs only in spelling from one that an export writes', () => {
  it('is refused', async () => {
    for (const name of ['Aplomb.json', '\uff41plomb.json', 'Aplomb.Lock.json', 'Monitors/a.json']) {
      const files: FolderFiles = {
        list: async () => [MARKER, name].map((path) => ({ path, isLink: false })),
        read: async () => marker,
        write: () => assert.fail('nothing is written'),
        remove: () => assert.fail('nothing is removed'),
      };
      const expected = /must be named (?:aplomb(?:\.lock)?\.json|monitors)\. Rename it/;
      await assert.rejects(readFolder(files, noSyntax), { name: 'FolderError', message: expected });
    }
  });
});

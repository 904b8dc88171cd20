// Folders that are not quite what an export wrote, and resources that an export cannot write: nothing of them is lost.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deploymentStore } from '../../client/src/resources/folders/deploymentStore.ts';
import { type FolderFiles, MARKER } from '../../resources/src/folder/files.ts';
import { planApply } from '../../resources/src/folder/plan.ts';
import { planPull, writePull } from '../../resources/src/folder/pull.ts';
import { readFolder } from '../../resources/src/folder/readFolder.ts';
import { json, LoopbackServer } from '../client/loopback.ts';

/** A folder in memory. Without `isCaseSensitive`, names are found in any case and keep that of their first file. */
function folderOf(contents: Readonly<Record<string, string>>, { isCaseSensitive = true } = {}) {
  const held = new Map(Object.entries(contents));
  const own = (path: string) =>
    isCaseSensitive
      ? path
      : ([...held.keys()].find((name) => name.toLowerCase() === path.toLowerCase()) ?? path);
  const files: FolderFiles = {
    list: async () => [...held.keys()].map((path) => ({ path, isLink: false })),
    read: async (path) => held.get(own(path)),
    write: async (path, text) => void held.set(own(path), text),
    remove: async (path) => void held.delete(own(path)),
  };
  return { files, held };
}

const marker = (...kinds: string[]) => JSON.stringify({ format: 1, kinds });
const noSyntax = async (queries: readonly string[]) => queries.map(() => undefined);

function listing(monitors: readonly object[]): Promise<LoopbackServer> {
  return LoopbackServer.start((response, { method }) =>
    method === 'GET' ? json(response, 200, monitors) : json(response, 500, {}),
  );
}

const errors = { id: 'm1', name: 'errors', type: 'Threshold', aplQuery: "['logs']" };

describe('an export over a file whose name differs in case alone', () => {
  for (const isCaseSensitive of [true, false]) {
    it(`leaves one file where case ${isCaseSensitive ? 'matters' : 'does not matter'}`, async () => {
      await using server = await listing([errors]);
      const { files, held } = folderOf(
        { [MARKER]: marker('monitors'), 'monitors/Errors.json': '{}' },
        { isCaseSensitive },
      );
      const plan = await planPull(deploymentStore(server.service()), files, ['monitors']);
      await writePull(plan, files, { removeStale: true });
      assert.deepEqual([...held.keys()].sort(), [
        MARKER,
        'monitors/errors.apl',
        'monitors/errors.json',
      ]);
    });
  }
});

describe('a folder whose names have another case', () => {
  it('is refused, since its resources would be taken for removed', async () => {
    for (const path of ['Monitors/errors.json', 'MONITORS/errors.apl']) {
      const { files } = folderOf({ [MARKER]: marker('monitors'), [path]: '{}' });
      await assert.rejects(readFolder(files, noSyntax), /must be named monitors/);
    }
  });

  it('or files with another ending are a problem', async () => {
    const { files } = folderOf({ [MARKER]: marker('monitors'), 'monitors/errors.JSON': '{}' });
    const { problems } = await readFolder(files, noSyntax);
    assert.deepEqual(
      problems.map(({ path, message }) => [path, message]),
      [['monitors/errors.JSON', 'The name must end in .json, in lower case.']],
    );
  });
});

describe('a resource that an export cannot write', () => {
  const odd = [
    { ...errors, id: 'm2', name: 'odd', aplQuery: { $file: 'secret.apl' } },
    { id: 'm3', type: 'Threshold', aplQuery: "['logs']", name: '' },
  ];

  it('is left out with the reason, so that the folder can be read back', async () => {
    await using server = await listing([errors, ...odd]);
    const { files, held } = folderOf({});
    const plan = await planPull(deploymentStore(server.service()), files, ['monitors']);
    await writePull(plan, files, { removeStale: true });
    assert.equal(plan.skipped.length, 2, plan.skipped.join('\n'));
    assert.match(plan.skipped.join('\n'), /aplQuery is not text[\s\S]*has no name/);
    const content = await readFolder(files, noSyntax);
    assert.deepEqual(content.problems, [], [...held.keys()].join());
    assert.equal(content.entries.length, 1);
  });

  it('is not deleted for having no file', async () => {
    await using server = await listing([errors, ...odd, { ...errors, id: 'm4', name: 'other' }]);
    const store = deploymentStore(server.service());
    const { files } = folderOf({ [MARKER]: marker('monitors') });
    const content = await readFolder(files, noSyntax);
    const plan = await planApply(store, content, { deletes: true });
    assert.deepEqual(
      plan.steps.map(({ action, id }) => `${action} ${id}`),
      ['delete m1', 'delete m4'],
    );
    assert.equal(plan.kept.length, 2);
  });
});

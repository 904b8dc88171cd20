// Tests folders that differ from an export, and resources that can't be exported. No data is lost.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deploymentStore } from '../../client/src/resources/folders/deploymentStore.ts';
import { type FolderFiles, GIT_ATTRIBUTES, MARKER } from '../../resources/src/folder/files.ts';
import { LOCK, readLock } from '../../resources/src/folder/lock.ts';
import { planApply } from '../../resources/src/folder/plan.ts';
import { planPull, writePull } from '../../resources/src/folder/pull.ts';
import { readFolder } from '../../resources/src/folder/readFolder.ts';
import { json, LoopbackServer } from '../client/loopback.ts';

/**
 * A folder in memory. Without `isCaseSensitive`, a file is found in any case and keeps its first
 * name.
 */
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

describe('a pull over a file whose name differs only in case', () => {
  for (const isCaseSensitive of [true, false]) {
    it(`leaves one file if case ${isCaseSensitive ? 'matters' : 'does not matter'}`, async () => {
      await using server = await listing([errors]);
      const { files, held } = folderOf(
        { [MARKER]: marker('monitors'), 'monitors/Errors.json': '{}' },
        { isCaseSensitive },
      );
      const plan = await planPull(deploymentStore(server.service()), files, ['monitors']);
      await writePull(plan, files, { removeStale: true });
      assert.deepEqual([...held.keys()].sort(), [
        GIT_ATTRIBUTES,
        MARKER,
        LOCK,
        'monitors/errors.apl',
        'monitors/errors.json',
      ]);
    });
  }
});

describe('a folder that Git has checked out on Windows', () => {
  it('needs no changes if only the line endings differ', async () => {
    await using server = await listing([{ ...errors, aplQuery: "['logs']\n| count" }]);
    const store = deploymentStore(server.service());
    const { files, held } = folderOf({});
    await writePull(await planPull(store, files, ['monitors']), files, { removeStale: true });
    for (const [path, text] of held) held.set(path, text.replaceAll('\n', '\r\n'));
    const before = new Map(held);
    const again = await planPull(store, files, ['monitors']);
    assert.deepEqual([again.created, again.changed], [[], []]);
    await writePull(again, files, { removeStale: true });
    assert.deepEqual(held, before);
  });

  it('keeps its own .gitattributes', async () => {
    await using server = await listing([errors]);
    const { files, held } = folderOf({ [GIT_ATTRIBUTES]: '*.json -diff\n' });
    const plan = await planPull(deploymentStore(server.service()), files, ['monitors']);
    await writePull(plan, files, { removeStale: true });
    assert.equal(held.get(GIT_ATTRIBUTES), '*.json -diff\n');
  });
});

describe('a folder whose names differ in case', () => {
  it('is rejected, because its resources would look deleted', async () => {
    for (const path of ['Monitors/errors.json', 'MONITORS/errors.apl']) {
      const { files } = folderOf({ [MARKER]: marker('monitors'), [path]: '{}' });
      await assert.rejects(readFolder(files, noSyntax), /must be named monitors/);
    }
  });

  it("is rejected, because its lock file would be ignored and others' changes overwritten", async () => {
    const { files } = folderOf({ [MARKER]: marker('monitors'), 'Aplomb.Lock.json': '{}' });
    await assert.rejects(readFolder(files, noSyntax), /must be named aplomb\.lock\.json\. Rename/);
  });

  it('reports a file with an uppercase extension', async () => {
    const { files } = folderOf({ [MARKER]: marker('monitors'), 'monitors/errors.JSON': '{}' });
    const { problems } = await readFolder(files, noSyntax);
    assert.deepEqual(
      problems.map(({ path, message }) => [path, message]),
      [['monitors/errors.JSON', 'The name must end in .json, in lower case.']],
    );
  });
});

describe('a file with a secret', () => {
  it("is reported at the secret's position, even for a number beyond JavaScript's precision", async () => {
    const text =
      '{\n  "name": "on call",\n  "properties": { "pigeon": { "phone": 12345678901234567890 } }\n}\n';
    const { files } = folderOf({ [MARKER]: marker('notifiers'), 'notifiers/on-call.json': text });
    const { problems } = await readFolder(files, noSyntax);
    assert.deepEqual(
      problems.map(({ line, column }) => [line, column]),
      [[3, text.split('\n')[2]!.indexOf('1234') + 1]],
    );
    assert.match(problems[0]?.message ?? '', /^properties\.pigeon\.phone contains a secret\./);
    assert.doesNotMatch(problems[0]?.message ?? '', /1234/);
  });
});

describe("a resource that can't be exported", () => {
  const odd = [
    { ...errors, id: 'm2', name: 'odd', aplQuery: { $file: 'secret.apl' } },
    { id: 'm3', type: 'Threshold', aplQuery: "['logs']", name: '' },
  ];

  it('is skipped with a reason, so that the folder can be read back', async () => {
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

  it('is not deleted by a push, although it has no file', async () => {
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

describe('a pull of monitors without permission to read notifiers', () => {
  it('reports that identifiers are exported, if a monitor has any', async () => {
    const notifying = { ...errors, notifierIds: ['n1'] };
    for (const [monitor, words] of [
      [notifying, /^References to notifiers are exported as identifiers, .* not allowed/],
      [errors, undefined],
    ] as const) {
      await using server = await LoopbackServer.start((response, { url }) =>
        url.includes('notifiers')
          ? json(response, 403, { code: 403, message: 'It is not allowed' })
          : json(response, 200, [monitor]),
      );
      const { files } = folderOf({});
      const plan = await planPull(deploymentStore(server.service()), files, ['monitors']);
      if (words === undefined) assert.deepEqual(plan.skipped, []);
      else {
        assert.equal(plan.skipped.length, 1);
        assert.match(plan.skipped[0] ?? '', words);
      }
    }
  });
});

describe('the lock file of a folder', () => {
  it('is read from both sides of a merge conflict and written without conflict markers', async () => {
    await using server = await listing([errors, { ...errors, id: 'm2', name: 'slow' }]);
    const { files, held } = folderOf({});
    const store = deploymentStore(server.service());
    const plan = await planPull(store, files, ['monitors']);
    await writePull(plan, files, { removeStale: false });
    const text = held.get(LOCK) ?? '';
    const [line = ''] = /^.*errors\.json.*\n/m.exec(text) ?? [];
    const other = line.replace(/"[0-9a-f]{16}"/, '"0123456789abcdef"');
    held.set(LOCK, text.replace(line, `<<<<<<< ours\n${other}=======\n${line}>>>>>>> theirs\n`));
    const lock = await readLock(files);
    assert.equal(lock?.get('monitors/errors.json')?.length, 2);
    assert.equal(lock?.get('monitors/slow.json')?.length, 1);
    const json = held.get('monitors/errors.json') ?? '';
    held.set('monitors/errors.json', json.replace('Threshold', 'MatchEvent'));
    const content = await readFolder(files, noSyntax);
    const planned = await planApply(store, content, { deletes: false });
    assert.deepEqual([planned.steps.length, planned.conflicts.length], [1, 0]);
    await writePull(await planPull(store, files, ['monitors']), files, { removeStale: false });
    assert.equal(held.get(LOCK), text);
  });

  it('keeps the entries of kinds that a pull leaves out', async () => {
    await using server = await listing([errors]);
    const other =
      '{\n  "format": 1,\n  "resources": {\n    "views/v.json": "0123456789abcdef"\n  }\n}\n';
    const { files } = folderOf({ [MARKER]: marker('views'), [LOCK]: other });
    const store = deploymentStore(server.service());
    await writePull(await planPull(store, files, ['monitors']), files, { removeStale: false });
    const lock = await readLock(files);
    assert.deepEqual([...(lock?.keys() ?? [])], ['monitors/errors.json', 'views/v.json']);
    assert.deepEqual(lock?.get('views/v.json'), ['0123456789abcdef']);
  });

  it('follows a renamed file and drops a file that was deleted with its resource', async () => {
    const slow = { ...errors, id: 'm2', name: 'slow' };
    const kept = { ...errors, id: 'm3', name: 'kept' };
    const gone = { ...errors, id: 'm4', name: 'gone' };
    await using before = await listing([errors, slow, kept, gone]);
    const { files, held } = folderOf({});
    const pulled = await planPull(deploymentStore(before.service()), files, ['monitors']);
    await writePull(pulled, files, { removeStale: false });
    const lock = await readLock(files);
    const json = held.get('monitors/errors.json') ?? '';
    held.set('monitors/moved.json', json.replace('Threshold', 'MatchEvent'));
    for (const name of ['errors', 'kept', 'gone']) held.delete(`monitors/${name}.json`);

    await using after = await listing([errors, slow, kept]);
    const content = await readFolder(files, noSyntax);
    const plan = await planApply(deploymentStore(after.service()), content, { deletes: false });
    assert.deepEqual([plan.steps.length, plan.conflicts.length], [1, 0]);
    assert.deepEqual([...plan.lock].sort(), [
      // This resource has no file anymore but can still be deleted.
      ['monitors/kept.json', lock?.get('monitors/kept.json')],
      ['monitors/moved.json', lock?.get('monitors/errors.json')],
      ['monitors/slow.json', lock?.get('monitors/slow.json')],
    ]);
  });

  it('is not replaced if a newer version wrote it', async () => {
    const newer = '{\n  "format": 2,\n  "resources": {}\n}\n';
    const { files } = folderOf({ [MARKER]: marker('monitors'), [LOCK]: newer });
    const message =
      /aplomb\.lock\.json: Expected "format": 1\. A newer version may have written it\./;
    await assert.rejects(readFolder(files, noSyntax), message);
    await using server = await listing([errors]);
    await assert.rejects(planPull(deploymentStore(server.service()), files), message);
  });

  it('is read in time proportional to its length', async () => {
    const line = '"monitors/errors.json": "0123456789abcdef"';
    const { files } = folderOf({ [LOCK]: `{${'\n'.repeat(100_000)}}\n${line}\r\n}` });
    const start = performance.now();
    const lock = await readLock(files);
    assert.ok(performance.now() - start < 1_000);
    assert.deepEqual([...(lock ?? [])], [['monitors/errors.json', ['0123456789abcdef']]]);
  });
});

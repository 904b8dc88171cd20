// The schema on disk: round trips, replacement of damaged files and those of other deployments, merging between
// windows, and size limits.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { FieldEvidence } from '../../../client/src/schema/mergeFields.ts';
import {
  type KeptList,
  SchemaFile,
  type SchemaPlace,
} from '../../../client/src/schema/schemaFile.ts';
import { assertMode } from '../../platform.ts';

const place: SchemaPlace = {
  name: 'Prod',
  general: 'https://api.example.com',
  edge: 'https://edge.example.com',
  organization: 'org-1',
  token: 'xaat-very-secret',
};

const stored = (name: string, at = 1): FieldEvidence => ({
  list: { at, fields: [{ name, type: 'string', description: 'Größe “x”\n' }] },
});

const listOf = (at: number, ...names: string[]): KeptList => ({
  at,
  datasets: names.map((name) => ({ name, kind: 'dataset' })),
});

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aplomb-schema-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const keep = (
  evidence: Readonly<Record<string, FieldEvidence>>,
  list?: KeptList,
  gone: readonly string[] = [],
) => ({ evidence: new Map(Object.entries(evidence)), list, gone: new Set(gone) });

async function onlyFile(): Promise<string> {
  const names = await readdir(folder);
  assert.equal(names.length, 1, `only the file itself is left: ${names}`);
  return join(folder, names[0] as string);
}

describe('a schema on disk', () => {
  it('is read back unchanged, without datasets that the newer list lacks', async () => {
    const file = new SchemaFile(folder, place);
    assert.equal(await file.read(), undefined);
    const list: KeptList = {
      at: 7,
      datasets: [
        { name: 'logs', kind: 'dataset', description: 'Ünïcode' },
        { name: 'errors', kind: 'view', query: "['logs'] | where x" },
      ],
    };
    await file.write(keep({ logs: stored('a'), 'odd\n"name"': stored('b') }, list));
    const kept = await new SchemaFile(folder, place).read();
    assert.deepEqual(kept?.list, list);
    assert.deepEqual(kept?.evidence('logs'), stored('a'));
    assert.equal(kept?.evidence('nothing'), undefined);
    // A dataset that the list lacks and that was not seen since is omitted.
    assert.deepEqual(kept?.names, ['logs']);
  });

  it('is read only for the same deployment name, addresses, organization and token', async () => {
    await new SchemaFile(folder, place).write(keep({ logs: stored('a') }));
    for (const other of [
      { name: 'Other' },
      { general: 'https://api.example.org' },
      { edge: 'https://edge.example.org' },
      { organization: 'org-2' },
      { organization: undefined },
      { token: 'xaat-of-another-organization' },
    ]) {
      assert.equal(await new SchemaFile(folder, { ...place, ...other }).read(), undefined);
    }
    // A file with the content of another deployment's file is not read either.
    const other = new SchemaFile(folder, { ...place, name: 'Other' });
    const own = await onlyFile();
    await other.write(keep({ secret: stored('s') }));
    const [foreign] = (await readdir(folder)).filter((name) => !own.endsWith(name));
    await writeFile(own, await readFile(join(folder, foreign as string)));
    assert.equal(await new SchemaFile(folder, place).read(), undefined);
  });

  it('does not contain the token, and only its owner may read it', async () => {
    await new SchemaFile(folder, place).write(keep({ logs: stored('a') }));
    const path = await onlyFile();
    assert.ok(!`${path}${await readFile(path, 'utf8')}`.includes('very-secret'));
    assertMode(path, 0o600);
  });

  it('is ignored if it is damaged, and replaced by the next write', async () => {
    const file = new SchemaFile(folder, place);
    const fresh = keep({ logs: stored('a') }, listOf(1, 'logs'));
    await file.write(fresh);
    const path = await onlyFile();
    const good = await readFile(path);
    const damages: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['empty', () => truncate(path, 0)],
      ['cut', () => truncate(path, good.length - 10)],
      ['cut in the index', () => truncate(path, 60)],
      ['longer', () => writeFile(path, Buffer.concat([good, Buffer.from('x\n')]))],
      ['something else', () => writeFile(path, '{"format":1}')],
      ['binary', () => writeFile(path, Buffer.alloc(10_000, 0x80))],
      [
        'another name in the index',
        () => writeFile(path, good.toString('latin1').replace('"logs"', '"lags"'), 'latin1'),
      ],
    ];
    for (const [what, damage] of damages) {
      await writeFile(path, good);
      await damage();
      assert.equal(await file.read(), undefined, what);
      await file.write(fresh);
      assert.deepEqual((await file.read())?.evidence('logs'), stored('a'), what);
    }
  });

  it('omits a dataset with a damaged line, and keeps the others', async () => {
    const file = new SchemaFile(folder, place);
    await file.write(keep({ logs: stored('aaa'), other: stored('bbb') }));
    const path = await onlyFile();
    const text = await readFile(path, 'latin1');
    await writeFile(path, text.replace('"aaa"', '"axa"'), 'latin1');
    const kept = await file.read();
    assert.equal(kept?.evidence('logs'), undefined);
    assert.deepEqual(kept?.evidence('other'), stored('bbb'));
  });

  it('merges the schemas that several windows write at the same time', async () => {
    const windows = [1, 2, 3, 4].map(() => new SchemaFile(folder, place));
    await Promise.all(
      windows.map((file, index) =>
        file.write(
          keep({
            [`own${index}`]: stored('x'),
            shared: { answer: { at: index, fields: [{ name: `f${index}`, type: 'string' }] } },
          }),
        ),
      ),
    );
    const kept = await windows[0]?.read();
    assert.deepEqual([...(kept?.names ?? [])].sort(), ['own0', 'own1', 'own2', 'own3', 'shared']);
    assert.deepEqual(
      kept
        ?.evidence('shared')
        ?.answer?.fields.map(({ name }) => name)
        .sort(),
      ['f0', 'f1', 'f2', 'f3'],
    );
    await onlyFile();
  });

  it('drops datasets that a newer list lacks or that were deleted, and keeps those seen since', async () => {
    const file = new SchemaFile(folder, place);
    await file.write(keep({ old: stored('a', 1), kept: stored('b', 1) }, listOf(1, 'old', 'kept')));
    await file.write(keep({ unlisted: stored('c', 9) }, listOf(5, 'kept')));
    assert.deepEqual((await file.read())?.names, ['kept', 'unlisted']);
    await file.write(keep({}, undefined, ['kept']));
    const kept = await file.read();
    assert.deepEqual(kept?.names, ['unlisted']);
    assert.deepEqual(kept?.list?.datasets, []);
  });

  it('stays within its size limits by removing the oldest datasets and files', async () => {
    const fields = Array.from({ length: 100 }, (_, index) => ({
      name: `field${index}`,
      type: 'string',
    }));
    const wide = (at: number): FieldEvidence => ({ list: { at, fields } });
    const bytes = JSON.stringify(wide(1)).length;
    const most = { file: 2.5 * bytes, folder: 6 * bytes };
    const file = new SchemaFile(folder, place, most);
    await file.write(keep({ oldest: wide(1), newest: wide(3), middle: wide(2) }));
    assert.deepEqual((await file.read())?.names, ['newest', 'middle']);
    const [first] = await readdir(folder);
    await utimes(join(folder, first as string), 1, 1);
    for (const name of ['B', 'C']) {
      const other = new SchemaFile(folder, { ...place, name }, most);
      await other.write(keep({ a: wide(1), b: wide(1) }));
    }
    assert.equal(await file.read(), undefined);
    assert.equal((await readdir(folder)).length, 2);
  });
});

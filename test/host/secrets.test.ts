// No token in any log, setting, error, history, document, process argument, export or crash report: all that a full run
// in a real VS Code leaves behind is searched for the tokens that it used, and for a decoy that must be found.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Profile } from '../../scripts/host/profile.ts';
import { assertPassed, runSuites, timeoutOf } from './inVscode.ts';
import { marked } from './secrets/forms.ts';
import type { SecretsOfRun } from './secrets/run.ts';
import { searchBytes, searchFolder } from './secrets/search.ts';

const secret = 'xaat-0a1b"\\/+%&<2c3d4e5f60718293a4b5c6d7e8f9 0a';

describe('the search for tokens', () => {
  const secrets = [marked('it', secret)];
  const inside = (text: string | Buffer) =>
    searchBytes('', Buffer.from(text as string), secrets).length > 0;

  it('finds a token in every form, and where it is cut off', () => {
    for (const text of [
      secret,
      secret.slice(0, 25),
      secret.slice(20),
      JSON.stringify({ a: JSON.stringify({ secret }) }),
      `?token=${encodeURIComponent(secret)}`,
      encodeURIComponent(encodeURIComponent(secret)),
      secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
      Buffer.from(secret).toString('hex'),
      ...['', 'u', 'us', 'user:', 'Bearer '].flatMap((before) => [
        Buffer.from(before + secret).toString('base64'),
        Buffer.from(before + secret).toString('base64url'),
      ]),
    ]) {
      assert.ok(inside(`before ${text} after`), text);
    }
    assert.ok(inside(Buffer.from(` ${secret}`, 'utf16le')));
  });

  it('finds nothing where there is none', () => {
    assert.ok(!inside('xaat-another one that is as long as the one that is looked for'));
    assert.ok(!inside(secret.slice(0, 18)));
  });

  it('reads the files of a folder and their names, packed or not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aplomb-search-'));
    try {
      await mkdir(join(folder, 'a/b'), { recursive: true });
      await writeFile(join(folder, 'a/b/text.log'), `x ${secret}`);
      await writeFile(join(folder, 'a/packed.gz'), gzipSync(secret));
      await writeFile(join(folder, 'a/packed.zst'), zstdCompressSync(secret));
      await writeFile(join(folder, encodeURIComponent(secret)), '');
      await writeFile(join(folder, 'a/other'), 'nothing');
      const { hits, files } = await searchFolder(folder, secrets);
      assert.equal(files.length, 5);
      assert.deepEqual(
        hits.map(({ place }) => place.replace(/^.*\(its path\)$/, 'its path')).sort(),
        ['a/b/text.log', 'a/packed.gz', 'a/packed.zst', 'its path'],
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/**
 * The files that have a token by design: those in which local deployments keep their own, for their owner alone. The
 * lock file, which has it as well, is gone with the process.
 */
const localData = 'user-data/User/globalStorage/aplomb.aplomb/local';
const ownFiles: Readonly<Record<string, string>> = {
  'own token': `${localData}/token`,
  'own personal token': `${localData}/personal-token`,
  'API token': 'other/token',
  'personal token': 'other/personal-token',
};

/** The folder of the browser itself is read through the window, which can tell secret storage from the rest. */
const isBrowserFolder = (path: string) => /^tmp\/playwright_chromiumdev_profile-/.test(path);

/** Where the suite puts the decoy. */
const planted = [
  'other/planted.log',
  'recorded/documents.txt',
  'recorded/log.txt',
  'recorded/messages.txt',
  'recorded/screen.txt',
  'recorded/window.txt',
  'workspace/.vscode/settings.json',
  'workspace/planted.gz',
  'workspace/planted.json',
  'workspace/planted.txt',
];

it('a full run leaves no token behind', timeoutOf(['secrets']), async (context) => {
  const told = await mkdtemp(join(tmpdir(), 'aplomb-secrets-'));
  const file = join(told, 'run.json');
  try {
    const run = await runSuites(['secrets'], {
      prepare: async ({ root }) => {
        const temporary = join(root, 'tmp');
        await mkdir(temporary);
        return { APLOMB_SECRETS: file, TMPDIR: temporary };
      },
      look: (profile) => search(profile, file),
    });
    assertPassed(run, 'secrets', context);
  } finally {
    await rm(told, { recursive: true, force: true });
  }
});

async function search({ root }: Profile, file: string): Promise<void> {
  const run = JSON.parse(await readFile(file, 'utf8')) as SecretsOfRun;
  const secrets = Object.entries(run.secrets).map(([label, text]) => marked(label, text));
  const { hits, files } = await searchFolder(
    root,
    [...secrets, marked('decoy', run.decoy)],
    isBrowserFolder,
  );

  const found = [...hits, ...run.processHits].filter((hit) => hit.secret !== 'decoy');
  const own = Object.entries(ownFiles).map(([label, place]) => `${label}: ${place}`);
  assert.deepEqual(found.map((hit) => `${hit.secret}: ${hit.place}`).sort(), own.sort());

  const decoys = hits.filter((hit) => hit.secret === 'decoy').map(({ place }) => place);
  for (const place of planted) assert.ok(decoys.includes(place), `The decoy is in ${place}.`);
  const inProcesses = run.processHits.filter((hit) => hit.secret === 'decoy');
  assert.ok(inProcesses.some(({ place }) => place.startsWith('arguments of')));
  assert.ok(inProcesses.some(({ place }) => place.startsWith('environment of')));

  // What was searched is what there is to search.
  assert.ok(run.echoedRequests > 100, `${run.echoedRequests} requests`);
  for (const program of ['server.cjs', 'local.cjs', 'cli.cjs']) {
    assert.ok(
      run.programs.some((one) => one.includes(program)),
      `${program} was seen.`,
    );
  }
  for (const place of [/history/, /\/results?\//, /\.schema$/, /^workspace\/exported\//]) {
    assert.ok(
      files.some((one) => place.test(one)),
      `${place} was searched.`,
    );
  }
}

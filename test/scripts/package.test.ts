// The packages of the extension: what they contain, and that the same sources give the same bytes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { repository } from '../../scripts/host/paths.ts';
import { run } from '../../scripts/host/processes.ts';
import { type Target, targets } from '../../scripts/package/targets.ts';
import { isLong } from '../drawn.ts';
import { unzip } from '../zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'aplomb-packages-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function packaged(target: Target, name: string): Promise<Buffer> {
  const out = join(folder, name);
  const args = ['scripts/package.ts', '--target', target, '--out', out];
  await run(process.execPath, args, { cwd: repository });
  return readFileSync(out);
}

/** Files that every package has, next to those of the folders below. */
const files = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/ThirdPartyNotices.txt',
  'extension/changelog.md',
  'extension/language-configuration.json',
  'extension/package.json',
  'extension/readme.md',
];
const folders = ['docs', 'media', 'syntaxes'];
const bundle = /^extension\/dist\/(?:view\/)?\w+\.(?:cjs|js|css|html)$/;

/** The start of a native module of a platform: PE, Mach-O or ELF. */
const magic: readonly (readonly [platform: RegExp, bytes: string])[] = [
  [/^win32/, '4d5a'],
  [/^darwin/, 'cffaedfe'],
  [/^(?:linux|alpine)/, '7f454c46'],
];

// Each takes the registry's package of another platform.
for (const target of isLong ? targets : (['universal'] as const)) {
  describe(`the package for ${target}`, () => {
    it('contains bundles, documents and the native module of its platform, and nothing else', async () => {
      const entries = unzip(await packaged(target, `${target}.vsix`));
      const native = [...entries.keys()].filter((path) => path.includes('/node_modules/'));
      const others = [...entries.keys()].filter(
        (path) =>
          !native.includes(path) &&
          !files.includes(path) &&
          !bundle.test(path) &&
          !folders.some((each) => path.startsWith(`extension/${each}/`)),
      );
      assert.deepEqual(others, []);
      assert.deepEqual(
        [...files, 'extension/dist/client.cjs', 'extension/dist/localProcess.cjs'].filter(
          (path) => !entries.has(path),
        ),
        [],
      );
      const manifest = entries.get('extension.vsixmanifest')!.toString();
      const module = native.find((path) => path.endsWith('/duckdb.node'));
      if (target === 'universal') {
        assert.deepEqual(native, []);
        assert.doesNotMatch(manifest, /TargetPlatform/);
        return;
      }
      assert.match(manifest, new RegExp(`TargetPlatform="${target}"`));
      const start = magic.find(([platform]) => platform.test(target))![1];
      assert.equal(entries.get(module!)!.toString('hex', 0, start.length / 2), start);
    });

    it("starts the MCP server with the extension's own files", () => {
      const entries = unzip(readFileSync(join(folder, `${target}.vsix`)));
      const home = join(folder, target);
      mkdirSync(join(home, 'dist'), { recursive: true });
      for (const name of ['package.json', 'dist/cli.cjs', 'dist/mcpCli.cjs'])
        writeFileSync(join(home, name), entries.get(`extension/${name}`)!);
      const params = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      };
      const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        [join(home, 'dist', 'cli.cjs'), 'mcp', home, '--data', home],
        { input: `${JSON.stringify(request)}\n`, encoding: 'utf8' },
      );
      assert.equal(JSON.parse(stdout).result.serverInfo.name, 'aplomb', stderr);
      assert.equal(status, 0);
    });

    it('is identical when it is built again', async () => {
      const again = await packaged(target, 'again.vsix');
      assert.ok(readFileSync(join(folder, `${target}.vsix`)).equals(again));
    });
  });
}

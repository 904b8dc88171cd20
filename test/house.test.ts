/**
 * The house rules that a compiler cannot hold: layers, headers, the manifest against the code, and the
 * tables against their documentation.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { filterCommand, newCommand, refreshCommand } from '../client/src/resources/commands.ts';
import { pageActions } from '../client/src/results/pageContent.ts';
import { format } from '../language/src/editing.ts';
import { kindNames } from '../resources/src/kinds.ts';
import { clientRooms, engineImporters, layers, pages, shared } from './house/layers.ts';
import { textWriters } from './house/pageText.ts';
import { filesBelow, importsOf, read, root, type SourceFile } from './house/sources.ts';

const folders = [
  'agents',
  'api',
  'formats',
  'system',
  'loopback',
  'ingest',
  'resources',
  'language',
  'server',
  'local',
  'cli',
  'table',
  'client',
  'scripts',
  'test',
];
const sources = folders.flatMap((folder) => filesBelow(folder, ['.ts', '.mts', '.tsx']));
const manifest = JSON.parse(read('package.json'));

function within(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

function withoutTypeImports(text: string): string {
  return text.replace(/^(?:import|export) type [^;]*;$/gm, '');
}

/** Returns the imports from an engine's folder by files that may not know the engine. */
function engineImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    importsOf(file).flatMap((target) => {
      const engine = engineImporters.find(({ folder }) => within(target, folder));
      if (engine === undefined || within(file.path, engine.folder)) return [];
      if (engine.importers.some((importer) => within(file.path, importer))) return [];
      return [`${file.path} imports ${target}`];
    }),
  );
}

/** What VS Code draws text with, some of it with links and icons. */
const rawCalls: readonly RegExp[] = [
  /\bwindow\s*\.\s*(?:show(?:Error|Warning|Information)Message|showInputBox|showQuickPick)\b/,
  /\bwindow\s*\.\s*create(?:InputBox|QuickPick|StatusBarItem|TreeView|WebviewPanel)\b/,
  /\bwindow\s*\.\s*(?:withProgress|setStatusBarMessage|showWorkspaceFolderPick)\b/,
  /\bwindow\s*\.\s*register(?:TreeDataProvider|WebviewPanelSerializer|FileDecorationProvider)\b/,
  /\blanguages\s*\.\s*createLanguageStatusItem\b/,
  /\bcommands\s*\.\s*registerCommand\b/,
  /\bnew\s+vscode\s*\.\s*(?:MarkdownString|Hover|CodeLens|CodeAction|Diagnostic|CompletionItem)\b/,
  /\bnew\s+vscode\s*\.\s*(?:NotebookCellStatusBarItem|InlayHint|DocumentLink|DocumentSymbol)\b/,
  /\bFileSystemError\s*\.\s*Unavailable\b/,
  /\bNotebookCellOutputItem\s*\.\s*error\b/,
  /'vscode\.(?:diff|changes)'/,
  // Icons in text.
  /(?<!withIcons)`[^`\n]*\$\([a-z-]+(?:~spin)?\)|'[^'\n]*\$\([a-z-]+(?:~spin)?\)/,
  // Destructured, no call above is seen.
  /\bconst\s*\{[^}]*\}\s*=\s*vscode\s*\.\s*(?:window|languages|commands)\b/,
];

describe('layers', () => {
  for (const layer of layers) {
    it(`${layer.folder} imports only what the architecture allows`, () => {
      const own = sources.filter(
        (file) =>
          within(file.path, layer.folder) &&
          !(layer.except ?? []).some((other) => within(file.path, other)),
      );
      const wrong = own.flatMap((file) =>
        importsOf(file)
          .filter((target) => {
            if (within(target, layer.folder)) return false;
            if (layer.paths.some((path) => within(target, path))) return false;
            return !layer.modules.some(
              (name) => within(target, name) || (name.endsWith(':') && target.startsWith(name)),
            );
          })
          .map((target) => `${file.path} imports ${target}`),
      );
      assert.deepEqual(wrong, []);
    });
  }

  it('code above the engines imports none of them', () => {
    assert.deepEqual(engineImports(sources.filter(({ path }) => within(path, 'local/src'))), []);
  });

  it('the rule about engines finds each import by a route, the planner, the store or another engine', () => {
    const wrong = [
      ['local/src/routes/export.ts', '../engines/duckdb/answers.ts'],
      ['local/src/routes/query.ts', '../engines/duckdb/database/engine.ts'],
      ['local/src/planner/index.ts', '../engines/clickhouse/plan.ts'],
      ['local/src/store/store.ts', '../engines/duckdb/events.ts'],
      ['local/src/engines/clickhouse/answers.ts', '../duckdb/slices.ts'],
      ['local/src/engines/duckdb/answers.ts', '../clickhouse/answers.ts'],
      ['local/src/engines/answers.ts', './duckdb/resultTable.ts'],
    ] as const;
    for (const [path, specifier] of wrong) {
      const file = { path, text: `import type { Something } from '${specifier}';` };
      assert.equal(engineImports([file]).length, 1, path);
    }
  });

  it('the client shows text through client/src/ui alone, which makes foreign text plain', () => {
    const clientFiles = sources.filter(
      ({ path }) => within(path, 'client/src') && !within(path, 'client/src/ui'),
    );
    assert.ok(clientFiles.length > 300);
    const wrong = clientFiles.flatMap(({ path, text }) => {
      const calls = rawCalls.flatMap((call) => text.match(call)?.[0] ?? []);
      return calls.map((call) => `${path}: ${call}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('pages write text through webview/page/dom.ts alone, which shows invisible characters', () => {
    const written = sources.filter(
      ({ path }) =>
        pages.some(({ folder }) => within(path, folder)) &&
        path !== 'client/src/webview/page/dom.ts',
    );
    assert.ok(written.length > 100);
    const wrong = written.flatMap(({ path, text }) =>
      textWriters
        .flatMap(({ finds }) => text.match(finds)?.[0] ?? [])
        .map((found) => `${path}: ${found}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('the rule about text of pages finds every way to write it', () => {
    const missed = textWriters.flatMap(({ finds, examples }) =>
      examples.filter((example) => !finds.test(example)),
    );
    assert.deepEqual(missed, []);
  });

  it('a page shares types alone with its host', () => {
    const inPage = (path: string) => pages.some(({ folder }) => within(path, folder));
    const wrong = sources
      .filter((file) => inPage(file.path))
      .flatMap((file) =>
        importsOf({ ...file, text: withoutTypeImports(file.text) })
          .filter(
            (target) =>
              /^(?:client|table)\//.test(target) && !inPage(target) && !shared.includes(target),
          )
          .map((target) => `${file.path} imports values of ${target}`),
      );
    assert.deepEqual(wrong, []);
  });

  it('tables and kinds of resource take types alone of the schemas, which are slow to load', () => {
    const wrong = sources
      .filter(({ path }) => within(path, 'resources/src') || within(path, 'table/src'))
      .filter((file) =>
        importsOf({ ...file, text: withoutTypeImports(file.text) }).includes('api/src/index.ts'),
      )
      .map(({ path }) => path);
    assert.deepEqual(wrong, []);
  });

  it('a room of the client imports nothing of the rooms above it', () => {
    const types = 'client/src/context.ts';
    const roomOf = (path: string) => clientRooms.indexOf(path.split('/')[2] ?? '');
    const own = sources.filter(({ path }) => within(path, 'client/src'));
    assert.deepEqual(
      own.map(({ path }) => path).filter((path) => roomOf(path) === -1),
      [],
    );
    const wrong = own.flatMap((file) =>
      importsOf(file)
        .filter((target) => within(target, 'client/src') && target !== types)
        .filter((target) => roomOf(target) < roomOf(file.path))
        .map((target) => `${file.path} imports ${target}`),
    );
    assert.deepEqual(wrong, []);
    const context = own.filter(({ path }) => path === types);
    assert.deepEqual(
      context.flatMap((file) => importsOf({ ...file, text: withoutTypeImports(file.text) })),
      [],
    );
  });

  it('no feature of the client imports another', () => {
    const features = sources.filter((file) => within(file.path, 'client/src/features'));
    const top = (path: string) => path.split('/').slice(0, 4).join('/').replace(/\.ts$/, '');
    const wrong = features.flatMap((file) =>
      importsOf(file)
        .filter((target) => within(target, 'client/src/features') && top(target) !== top(file.path))
        .map((target) => `${file.path} imports ${target}`),
    );
    assert.deepEqual(wrong, []);
  });
});

describe('the local deployment', () => {
  it('makes every list that it answers of what the token may see', () => {
    const lists = /store\.(?:resources|datasets)\.(?:list|entries)\(/;
    const routes = sources.filter(({ path }) => within(path, 'local/src/routes'));
    assert.ok(routes.length > 10);
    assert.deepEqual(
      routes.filter(({ text }) => lists.test(text)).map(({ path }) => path),
      [],
    );
  });

  it('leaves what a token may do to the gate', () => {
    const routes = sources.filter(({ path }) => within(path, 'local/src/routes'));
    const checks = /\.(?:inOrganization|onDataset|onView|anywhere|mayUse|maySee)\(/;
    assert.deepEqual(
      routes.filter(({ text }) => checks.test(text)).map(({ path }) => path),
      [],
    );
  });
});

describe('files', () => {
  it('are renamed by system/src/replace.ts alone, which tries again on Windows', () => {
    const shipped = sources.filter(({ path }) => !/^(?:test|scripts|system)\//.test(path));
    const imports = /import\s*\{[^}]*\brename(?:Sync)?\b[^}]*\}\s*from 'node:fs(?:\/promises)?'/;
    assert.deepEqual(
      shipped.filter(({ text }) => imports.test(text)).map(({ path }) => path),
      [],
    );
  });

  it('every source file opens with a header comment', () => {
    const opens = (file: SourceFile) => /^(?:#!.*\n)?\s*(?:\/\*\*?|\/\/)/.test(file.text);
    const wrong = sources.filter((file) => !opens(file)).map((file) => file.path);
    assert.deepEqual(wrong, []);
  });

  it('nothing is left for later', () => {
    const marker = new RegExp(['TO', 'DO|FIX', 'ME|\\.on', 'ly\\(|\\.sk', 'ip\\('].join(''));
    const wrong = sources.filter((file) => marker.test(file.text)).map((file) => file.path);
    assert.deepEqual(wrong, []);
  });

  it('the top level holds only what ARCHITECTURE.md names', () => {
    const text = read('ARCHITECTURE.md');
    const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
    const top = new Set(tracked.split('\n').map((path) => path.split('/')[0] as string));
    top.delete('');
    assert.deepEqual(
      [...top].filter((name) => !text.includes(`\`${name}\``) && !text.includes(`\`${name}/\``)),
      [],
    );
  });

  it('the tests that SECURITY.md names exist', () => {
    const named = read('SECURITY.md').match(/test\/[\w./-]+\.test\.ts/g) ?? [];
    assert.notEqual(named.length, 0);
    assert.deepEqual(
      named.filter((path) => !existsSync(join(root, path))),
      [],
    );
  });

  it('texts speak of the project alone', () => {
    const texts = [
      ...sources,
      ...filesBelow('docs', ['.md']),
      ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].map(
        (path) => ({
          path,
          text: read(path),
        }),
      ),
    ];
    const words = new RegExp(
      ['\\/work\\/(?:main|shared)', '\\.\\.\\/shared\\/', 'subagent', 'registry\\.npm'].join('|'),
    );
    const wrong = texts
      .filter((file) => file.path !== 'test/house.test.ts' && words.test(file.text))
      .map((file) => file.path);
    assert.deepEqual(wrong, []);
  });
});

describe('the manifest', () => {
  const clientSources = sources.filter((file) => within(file.path, 'client/src'));
  const clientText = clientSources.map((file) => file.text).join('\n');
  const readers = clientText + read('server/src/settings.ts');
  const commands: { command: string; category?: string; title: string }[] =
    manifest.contributes.commands;

  it('every command has the category APL and is registered, and every registered one is declared', () => {
    const declared = commands.map((row) => row.command);
    assert.deepEqual(
      commands.filter((row) => row.category !== 'APL').map((row) => row.command),
      [],
    );
    const ofKinds = kindNames.flatMap((kind) => [
      newCommand(kind),
      filterCommand(kind),
      refreshCommand(kind),
    ]);
    const ofResults = pageActions
      .filter((action) => action !== 'exportResult')
      .map((action) => `aplomb.results.${action}`);
    const named = new Set([
      ...ofKinds,
      ...ofResults,
      ...[...clientText.matchAll(/['"`](aplomb\.[\w.]+)['"`]/g)].map((m) => m[1]),
    ]);
    assert.deepEqual(
      declared.filter((command) => !named.has(command)),
      [],
    );
    const written = [
      ...clientText.matchAll(/(?:registerCommand|command)\(\s*['"`](aplomb\.[\w.]+)['"`]/g),
      ...clientText.matchAll(/^ +'(aplomb\.[\w.]+)':/gm),
    ].map((match) => match[1] as string);
    const registered = [...ofResults, ...written];
    assert.deepEqual(
      registered.filter((command) => !declared.includes(command)),
      [],
    );
  });

  it('every setting is described, scoped and read, and every setting read is declared', () => {
    const properties: Record<string, { description?: string; markdownDescription?: string }> =
      Object.assign(
        {},
        ...[manifest.contributes.configuration].flat().map((group) => group.properties),
      );
    for (const [name, setting] of Object.entries(properties)) {
      assert.ok(setting.description ?? setting.markdownDescription, `${name} has a description`);
      assert.ok('scope' in setting, `${name} has a scope`);
      const short = name.replace(/^aplomb\./, '');
      assert.ok(
        readers.includes(`'${short}'`) || readers.includes(`'${name}'`) || short === 'trace.server',
        `${name} is read`,
      );
      assert.doesNotMatch(name, /token|secret|password/i);
    }
  });

  it('every menu and key names a declared command', () => {
    const declared = new Set(commands.map((row) => row.command));
    const rows = [
      ...Object.values<{ command?: string }[]>(manifest.contributes.menus).flat(),
      ...(manifest.contributes.keybindings as { command: string }[]),
    ];
    const wrong = rows
      .map((row) => row.command)
      .filter((command) => command?.startsWith('aplomb.') && !declared.has(command));
    assert.deepEqual(wrong, []);
  });

  it('no menu has a submenu twice, since VS Code shows the first alone', () => {
    const menus = Object.entries<{ submenu?: string }[]>(manifest.contributes.menus);
    const twice = menus.flatMap(([menu, rows]) => {
      const submenus = rows.flatMap(({ submenu }) => submenu ?? []);
      return submenus
        .filter((submenu, at) => submenus.indexOf(submenu) !== at)
        .map((submenu) => `${menu}: ${submenu}`);
    });
    assert.deepEqual(twice, []);
  });

  it('the sample queries are as the formatter writes them', () => {
    assert.deepEqual(format(read('media/samples/welcome.apl')), []);
  });

  it('every file that the manifest names is there', () => {
    const named = JSON.stringify(manifest.contributes).match(/"\.\/[^"]+"/g) ?? [];
    const missing = named
      .map((quoted) => quoted.slice(1, -1))
      .filter((path) => !path.startsWith('./dist/') && !existsSync(join(root, path)));
    assert.deepEqual(missing, []);
  });
});

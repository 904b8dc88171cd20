// Bundles each process and each webview of the extension into dist/. Node bundles are named .cjs, because
// the package is of type "module" and VS Code's extension host loads CommonJS.
//   node esbuild.mjs [--production] [--watch] [--outdir=DIR] [--only=BUNDLE,…]
// A production build is minified, has no source maps, leaves out what is no part of the extension, and
// adds meta.json, which tells what each bundle is made of.
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import esbuild from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const only = process.argv
  .find((arg) => arg.startsWith('--only='))
  ?.slice(7)
  .split(',');
const outdir = process.argv.find((arg) => arg.startsWith('--outdir='))?.slice(9) ?? 'dist';

const node = { platform: 'node', format: 'cjs', target: 'node22' };
const browser = { platform: 'browser', format: 'iife', target: 'chrome138' };

/**
 * `vscode` as one namespace. Otherwise each file that imports it begins with a copy of it, a getter for every
 * member, which takes as long as the activation itself.
 */
const vscodeOnce = {
  name: 'vscode-once',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ kind, namespace }) =>
      kind === 'import-statement' && namespace !== 'vscode-once'
        ? { path: 'vscode', namespace: 'vscode-once' }
        : { path: 'vscode', external: true },
    );
    build.onLoad({ filter: /./, namespace: 'vscode-once' }, () => ({
      contents: "export * from 'vscode';",
    }));
  },
};

/**
 * What the client loads after its start, as bundles of their own, so that the start need not read them: the
 * library of the language client with the first document in APL, HTTP and the schemas of the service with the
 * first request, ingest and dashboards with their first page, the documents, folders, deployments' forms and tools
 * for agents with the first of each. Each is larger than, or takes as long to load as, the rest of the client.
 */
const loadedLater = {
  name: 'loaded-later',
  setup(build) {
    build.onResolve(
      {
        filter:
          /^undici$|\/(?:endpoint|serverConnection|ingestUi|resourceUi|folderUi|accountUi|boardsUi|agentsUi)\.ts$/,
      },
      ({ path, kind }) =>
        kind === 'entry-point'
          ? undefined
          : { path: `./${basename(path, '.ts')}.cjs`, external: true },
    );
  },
};

/** The commands that use HTTP as bundles of their own: it would make the others start more slowly. */
const networkLater = {
  name: 'network-later',
  setup(build) {
    build.onResolve({ filter: /^\.\/(?:ingest|resources|mcp)\/main\.ts$/ }, ({ path }) => ({
      path: `./${path.split('/')[1]}Cli.cjs`,
      external: true,
    }));
  },
};

/** The process of the local deployment as a bundle of its own, which an old Node need not parse. */
const processLater = {
  name: 'process-later',
  setup(build) {
    build.onResolve({ filter: /^\.\/main\.ts$/ }, () => ({
      path: './localProcess.cjs',
      external: true,
    }));
  },
};

/** ClickHouse's client with a parser of YAML, and the translation of SQL: bundles for deployments on ClickHouse alone. */
const clickhouseLater = {
  name: 'clickhouse-later',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/driver\.ts$/ }, ({ importer }) =>
      /[\\/]clickhouse[\\/](?:client|sources[\\/]datasetsFile)\.ts$/.test(importer)
        ? { path: './localClickHouse.cjs', external: true }
        : undefined,
    );
    build.onResolve({ filter: /^\.\/sql\/index\.ts$/ }, () => ({
      path: './localTranslator.cjs',
      external: true,
    }));
  },
};

/** What is built from what. */
const bundles = [
  {
    from: 'client/src/extension.ts',
    to: 'client.cjs',
    ...node,
    plugins: [vscodeOnce, loadedLater],
    // What is imported later becomes a require, which finds the bundle beside this one.
    supported: { 'dynamic-import': false },
  },
  { from: 'undici', to: 'undici.cjs', ...node },
  { from: 'client/src/service/endpoint.ts', to: 'endpoint.cjs', ...node },
  {
    from: 'client/src/languageServer/serverConnection.ts',
    to: 'serverConnection.cjs',
    ...node,
    plugins: [vscodeOnce],
  },
  {
    from: 'client/src/ingest/host/ingestUi.ts',
    to: 'ingestUi.cjs',
    ...node,
    plugins: [vscodeOnce, loadedLater],
    supported: { 'dynamic-import': false },
  },
  {
    from: 'client/src/resources/files/resourceUi.ts',
    to: 'resourceUi.cjs',
    ...node,
    plugins: [vscodeOnce, loadedLater],
    supported: { 'dynamic-import': false },
  },
  {
    from: 'client/src/resources/folders/folderUi.ts',
    to: 'folderUi.cjs',
    ...node,
    plugins: [vscodeOnce, loadedLater],
    supported: { 'dynamic-import': false },
  },
  {
    from: 'client/src/boards/host/boardsUi.ts',
    to: 'boardsUi.cjs',
    ...node,
    plugins: [vscodeOnce, loadedLater],
    supported: { 'dynamic-import': false },
  },
  {
    from: 'client/src/agents/agentsUi.ts',
    to: 'agentsUi.cjs',
    ...node,
    plugins: [vscodeOnce, loadedLater],
    supported: { 'dynamic-import': false },
  },
  {
    from: 'client/src/account/accountUi.ts',
    to: 'accountUi.cjs',
    ...node,
    plugins: [vscodeOnce, loadedLater],
    supported: { 'dynamic-import': false },
  },
  { from: 'server/src/main.ts', to: 'server.cjs', ...node },
  // The worker thread that holds the rows of results.
  { from: 'client/src/answers/worker/main.ts', to: 'results.cjs', ...node },
  // The worker thread that reads files to ingest.
  { from: 'client/src/ingest/worker/main.ts', to: 'ingest.cjs', ...node },
  {
    from: 'local/src/start.ts',
    to: 'local.cjs',
    ...node,
    target: 'node6.5',
    plugins: [processLater],
    supported: { 'dynamic-import': false },
  },
  // DuckDB's native module is found at run time, in a node_modules folder above or beside the bundle.
  {
    from: 'local/src/main.ts',
    to: 'localProcess.cjs',
    ...node,
    plugins: [clickhouseLater],
    external: ['@duckdb/node-bindings-*'],
    // Only the sources ask for their address; a bundle knows its own file.
    logOverride: { 'empty-import-meta': 'silent' },
  },
  { from: 'local/src/engines/clickhouse/driver.ts', to: 'localClickHouse.cjs', ...node },
  { from: 'local/src/engines/clickhouse/sql/index.ts', to: 'localTranslator.cjs', ...node },
  // Run by whatever Node a person or a machine of continuous integration has. Of the command line, the extension has
  // what its MCP server needs.
  {
    from: 'cli/src/main.ts',
    to: 'cli.cjs',
    ...node,
    target: 'node20',
    plugins: [networkLater],
    supported: { 'dynamic-import': false },
  },
  { from: 'cli/src/ingest/main.ts', to: 'ingestCli.cjs', ...node, outsideExtension: true },
  { from: 'cli/src/resources/main.ts', to: 'resourcesCli.cjs', ...node, outsideExtension: true },
  { from: 'cli/src/mcp/main.ts', to: 'mcpCli.cjs', ...node },
  { from: 'client/src/results/view/main.ts', to: 'view/results.js', ...browser },
  // The page that the local deployment serves at its address.
  { from: 'local/page/main.ts', to: 'view/landing.js', ...browser },
  { from: 'client/src/fields/view/main.ts', to: 'view/fields.js', ...browser },
  { from: 'client/src/ingest/view/main.ts', to: 'view/ingest.js', ...browser },
  { from: 'client/src/boards/view/main.ts', to: 'view/boards.js', ...browser },
  // Loaded by a page with its first chart.
  { from: 'client/src/charts/view/main.ts', to: 'view/charts.js', ...browser },
  // The renderer of notebooks is a module; it adds its styles to a document that it shares with others.
  {
    from: 'client/src/notebook/view/main.ts',
    to: 'view/notebook.js',
    ...browser,
    format: 'esm',
    loader: { '.css': 'text' },
  },
  {
    from: 'test/host/suite.ts',
    to: 'test/suite.cjs',
    ...node,
    // Both read files beside their own, so they are loaded from where they are.
    external: ['vscode', 'mocha', 'playwright-core'],
    outsideExtension: true,
  },
];

const assets = { '.svg': 'dataurl', '.woff2': 'dataurl', '.gif': 'dataurl', '.png': 'dataurl' };

const started = Date.now();
const wanted = bundles
  .filter((bundle) => !(production && bundle.outsideExtension))
  .filter((bundle) => only === undefined || only.includes(bundle.to));
const contexts = await Promise.all(
  wanted.map(({ from, to, outsideExtension: _, loader, ...options }) =>
    esbuild.context({
      ...options,
      entryPoints: [from],
      outfile: join(outdir, to),
      bundle: true,
      minify: production,
      metafile: production,
      sourcemap: production ? false : 'linked',
      legalComments: 'none',
      logLevel: 'warning',
      loader: { ...assets, ...loader },
    }),
  ),
);
if (watch) {
  await Promise.all(contexts.map((context) => context.watch()));
  console.log(`Watching ${wanted.length} bundles.`);
} else {
  const results = await Promise.allSettled(contexts.map((context) => context.rebuild()));
  await Promise.all(contexts.map((context) => context.dispose()));
  // esbuild has printed the errors themselves.
  if (results.some((result) => result.status === 'rejected')) process.exit(1);
  if (production) {
    const inputs = results.flatMap((result) => Object.keys(result.value.metafile.inputs));
    const sorted = [...new Set(inputs)].sort();
    await writeFile(join(outdir, 'meta.json'), `${JSON.stringify({ inputs: sorted }, null, 2)}\n`);
  }
  console.log(`Built ${wanted.map(({ to }) => to).join(', ')} in ${Date.now() - started} ms.`);
}

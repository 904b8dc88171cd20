/**
 * Who may import whom: the table of ARCHITECTURE.md as data. A folder's own files are always allowed;
 * `modules` are packages, with `node:` standing for all of Node's; `paths` are prefixes of repository paths.
 */
export interface Layer {
  readonly folder: string;
  readonly except?: readonly string[];
  readonly modules: readonly string[];
  readonly paths: readonly string[];
}

/**
 * Pages: separate bundles that run in a webview, without VS Code, Node and the network. Of anything but the
 * kit's page folder they import types only.
 */
export const pages: readonly {
  readonly folder: string;
  readonly modules: readonly string[];
  readonly types: readonly string[];
}[] = [
  { folder: 'client/src/webview/page', modules: [], types: [] },
  {
    folder: 'client/src/charts/view',
    modules: ['echarts'],
    types: ['client/src/answers', 'client/src/charts', 'client/src/results', 'table/src'],
  },
  {
    folder: 'client/src/results/view',
    modules: ['slickgrid'],
    types: ['client/src/answers', 'client/src/results', 'client/src/charts', 'table/src'],
  },
  {
    folder: 'client/src/notebook/view',
    modules: ['slickgrid'],
    types: [
      'client/src/answers',
      'client/src/notebook',
      'client/src/results',
      'client/src/charts',
      'table/src',
    ],
  },
  { folder: 'client/src/fields/view', modules: [], types: ['client/src/fields'] },
  {
    folder: 'client/src/ingest/view',
    modules: ['preact'],
    types: ['client/src/ingest/host', 'ingest/src'],
  },
  {
    folder: 'client/src/boards/view',
    modules: ['slickgrid'],
    types: [
      'client/src/answers',
      'client/src/boards',
      'client/src/results',
      'client/src/charts',
      'table/src',
    ],
  },
];

/** Plain values and functions that a host and its pages have in common: they import nothing that has effects. */
export const shared: readonly string[] = [
  'client/src/charts/chartText.ts',
  'client/src/charts/compare.ts',
  'client/src/charts/marks.ts',
  'client/src/charts/offset.ts',
  'client/src/charts/packedNumbers.ts',
  'client/src/ingest/amounts.ts',
  'client/src/ingest/reportText.ts',
  'client/src/rpc/client.ts',
  'client/src/rpc/calls.ts',
  'client/src/rpc/parts.ts',
  'client/src/schema/fieldTypes.ts',
  'client/src/words/errors.ts',
  'client/src/words/lists.ts',
  'client/src/words/timeText.ts',
  'formats/src/counts.ts',
  'table/src/chart/chart.ts',
  'table/src/chart/fields.ts',
  'table/src/chart/shape.ts',
  'table/src/numberText.ts',
  'table/src/visibleText.ts',
];

export const layers: readonly Layer[] = [
  { folder: 'api/src', modules: ['typebox'], paths: ['formats/src'] },
  { folder: 'language/src', modules: [], paths: [] },
  { folder: 'formats/src', modules: [], paths: [] },
  { folder: 'system/src', modules: ['node:'], paths: [] },
  {
    folder: 'ingest/src',
    modules: ['node:'],
    paths: ['api/src/plain.ts', 'formats/src', 'system/src'],
  },
  { folder: 'loopback/src', modules: ['node:'], paths: ['system/src'] },
  {
    folder: 'agents/src',
    modules: [],
    paths: [
      'api/src/plain.ts',
      'api/src/resources/result.ts',
      'api/src/schema.ts',
      'api/src/validate.ts',
      'formats/src',
      'language/src/editing.ts',
      'language/src/index.ts',
      'resources/src',
    ],
  },
  // Of `index.ts` types alone, which another test checks.
  {
    folder: 'resources/src',
    modules: [],
    paths: ['api/src/index.ts', 'api/src/plain.ts', 'formats/src'],
  },
  // Of `index.ts` types alone here too.
  {
    folder: 'table/src',
    except: ['table/src/export'],
    modules: ['node:'],
    paths: ['api/src/index.ts', 'api/src/plain.ts', 'formats/src'],
  },
  {
    folder: 'table/src/export',
    modules: ['node:', 'hyparquet-writer', 'yazl'],
    paths: ['api/src/plain.ts', 'formats/src', 'system/src', 'table/src/'],
  },
  {
    folder: 'server/src',
    except: ['server/src/protocol.ts', 'server/src/main.ts'],
    modules: ['vscode-languageserver', 'vscode-languageserver-textdocument'],
    paths: ['language/src/index.ts', 'language/src/editing.ts'],
  },
  { folder: 'server/src/protocol.ts', modules: [], paths: [] },
  {
    folder: 'server/src/main.ts',
    modules: ['vscode-languageserver'],
    paths: ['server/src/', 'language/src/index.ts', 'language/src/editing.ts'],
  },
  {
    folder: 'local/src',
    except: [
      'local/src/engines/duckdb/database',
      'local/src/planner',
      'local/src/otlp',
      'local/src/engines/clickhouse/driver.ts',
    ],
    modules: ['node:', 'undici'],
    paths: [
      'api/src/index.ts',
      'api/src/plain.ts',
      'formats/src',
      'language/src/index.ts',
      'loopback/src',
      'system/src',
    ],
  },
  {
    folder: 'local/src/engines/duckdb/database',
    except: ['local/src/engines/duckdb/database/computed'],
    modules: ['node:', '@duckdb/node-api'],
    paths: ['local/src/', 'api/src/index.ts', 'system/src'],
  },
  {
    folder: 'local/src/engines/duckdb/database/computed',
    modules: ['node:', '@duckdb/node-api'],
    paths: [],
  },
  // A separate bundle, so it shares types alone.
  {
    folder: 'local/src/engines/clickhouse/driver.ts',
    modules: ['node:', '@clickhouse/client', 'js-yaml'],
    paths: ['local/src/engines/clickhouseOptions.ts'],
  },
  {
    folder: 'local/src/otlp',
    modules: ['node:', '@bufbuild/protobuf'],
    paths: ['local/src/', 'api/src/index.ts'],
  },
  {
    folder: 'local/src/planner',
    modules: [],
    paths: ['formats/src/counts.ts', 'language/src/index.ts', 'local/src/store/layout.ts'],
  },
  // The landing page: a browser's own functions, and the tokens of APL to color them.
  {
    folder: 'local/page',
    modules: [],
    paths: ['formats/src/counts.ts', 'language/src/syntax/lexer.ts'],
  },
  {
    folder: 'cli/src',
    except: ['cli/src/ingest', 'cli/src/resources', 'cli/src/mcp'],
    modules: ['node:'],
    paths: [
      'api/src/naturalOrder.ts',
      'formats/src/counts.ts',
      'formats/src/snippets.ts',
      'language/src/index.ts',
      'language/src/editing.ts',
      'loopback/src/nodeVersion.ts',
      'loopback/src/supervise.ts',
      'system/src',
    ],
  },
  // The commands that use the network, with the client's own calls.
  {
    folder: 'cli/src/ingest',
    modules: ['node:'],
    paths: [
      'api/src/plain.ts',
      'cli/src/',
      'client/src/service',
      'client/src/deployments/localHold.ts',
      'client/src/deployments/network.ts',
      'client/src/ingest/serviceSink.ts',
      'formats/src/counts.ts',
      'ingest/src',
      // It reads no queries, so its bundle does without the rest of the language.
      'language/src/printable.ts',
      'loopback/src',
      'system/src',
    ],
  },
  {
    folder: 'cli/src/resources',
    modules: ['node:'],
    paths: [
      'cli/src/',
      'client/src/resources/folders/deploymentStore.ts',
      'formats/src/counts.ts',
      'language/src/index.ts',
      'resources/src',
      'system/src',
    ],
  },
  // Tools for agents, with the client's own calls.
  {
    folder: 'cli/src/mcp',
    modules: ['node:', '@modelcontextprotocol/sdk'],
    paths: [
      'agents/src/index.ts',
      'cli/src/',
      'client/src/agents/serviceContext.ts',
      'client/src/deployments/localProcess.ts',
      'client/src/service',
      'system/src',
    ],
  },
  {
    folder: 'client/src',
    except: [
      'client/src/agents',
      'client/src/service',
      'client/src/answers',
      'client/src/rpc',
      'client/src/features',
      'client/src/webview',
      'client/src/words',
      ...shared,
      ...pages.map(({ folder }) => folder),
    ],
    modules: ['vscode', 'vscode-languageclient', 'undici', 'node:'],
    paths: [
      'api/src/index.ts',
      'api/src/plain.ts',
      'formats/src',
      'server/src/protocol.ts',
      'ingest/src',
      'loopback/src',
      'resources/src',
      'system/src',
      'table/src',
    ],
  },
  ...shared.map((folder) => ({
    folder,
    modules: [],
    paths: [
      ...shared,
      'client/src/ingest/host/pageFacts.ts',
      'ingest/src/contract.ts',
      'table/src/answer.ts',
    ],
  })),
  // Tools for agents, loaded with their first call. They contain the language.
  {
    folder: 'client/src/agents',
    except: ['client/src/agents/serviceContext.ts'],
    modules: ['vscode', 'node:'],
    paths: [
      'agents/src/index.ts',
      'api/src/plain.ts',
      'client/src/',
      'formats/src/counts.ts',
      'language/src/index.ts',
      'resources/src',
    ],
  },
  {
    folder: 'client/src/agents/serviceContext.ts',
    modules: [],
    paths: [
      'agents/src/index.ts',
      'api/src/plain.ts',
      'client/src/resources/calls.ts',
      'client/src/resources/folders/deploymentStore.ts',
      'client/src/service',
      'client/src/words',
      'resources/src/kinds.ts',
    ],
  },
  { folder: 'client/src/words', modules: [], paths: ['formats/src/counts.ts'] },
  {
    folder: 'client/src/rpc',
    except: ['client/src/rpc/thread.ts'],
    modules: [],
    paths: [],
  },
  { folder: 'client/src/rpc/thread.ts', modules: ['node:'], paths: ['client/src/rpc'] },
  {
    folder: 'client/src/answers',
    modules: ['node:'],
    paths: [
      'api/src/index.ts',
      'api/src/plain.ts',
      'server/src/protocol.ts',
      'client/src/service/answerSink.ts',
      'client/src/host/emitter.ts',
      'client/src/rpc',
      'client/src/words',
      'formats/src',
      'system/src',
      'table/src',
    ],
  },
  {
    folder: 'client/src/service',
    modules: ['undici', 'node:'],
    paths: ['api/src/index.ts', 'api/src/plain.ts', 'client/src/words', 'formats/src/counts.ts'],
  },
  {
    folder: 'client/src/service/ask.ts',
    modules: [],
    paths: ['api/src/index.ts', 'api/src/plain.ts', 'client/src/service', 'client/src/words'],
  },
  {
    folder: 'client/src/service/answerValue.ts',
    modules: [],
    paths: [
      'api/src/index.ts',
      'api/src/plain.ts',
      'client/src/service/endpoint.ts',
      'client/src/service/answerSink.ts',
    ],
  },
  { folder: 'client/src/service/answerSink.ts', modules: [], paths: [] },
  {
    folder: 'client/src/answers/tabs.ts',
    modules: [],
    paths: [
      'client/src/answers/slots.ts',
      'client/src/answers/tabPlace.ts',
      'client/src/answers/protocol.ts',
    ],
  },
  {
    folder: 'client/src/features',
    modules: ['vscode', 'vscode-languageclient', 'undici', 'node:'],
    paths: [
      'client/src/',
      'api/src/index.ts',
      'api/src/plain.ts',
      'server/src/protocol.ts',
      'ingest/src',
      'resources/src',
      'formats/src/counts.ts',
      'table/src',
    ],
  },
  // What both sides of a channel share, and the host's side of it.
  {
    folder: 'client/src/webview',
    except: ['client/src/webview/page', 'client/src/webview/webviewPage.ts'],
    modules: [],
    paths: ['client/src/rpc', 'table/src/visibleText.ts'],
  },
  {
    folder: 'client/src/webview/webviewPage.ts',
    modules: ['vscode', 'node:'],
    paths: ['client/src/webview'],
  },
  ...pages.map(({ folder, modules, types }) => ({
    folder,
    modules,
    paths: ['client/src/webview', 'client/src/words', ...shared, ...types],
  })),
];

/**
 * The files of `local/src` that may import from an engine's folder. All others use the interfaces in
 * `local/src/engines/`, so they work with every engine.
 */
export const engineImporters: readonly {
  readonly folder: string;
  readonly importers: readonly string[];
}[] = [
  {
    folder: 'local/src/engines/clickhouse',
    importers: ['local/src/engines/open.ts', 'local/src/engines/plan.ts'],
  },
  {
    // DuckDB also keeps the resources, reads the bodies of requests, and is in the file of a backup.
    folder: 'local/src/engines/duckdb/database',
    importers: [
      'local/src/backup',
      'local/src/engines/clickhouse',
      'local/src/engines/duckdb',
      'local/src/engines/events.ts',
      'local/src/engines/open.ts',
      'local/src/license/usage.ts',
      'local/src/store',
    ],
  },
  { folder: 'local/src/engines/duckdb', importers: ['local/src/engines/open.ts'] },
];

/**
 * The rooms of `client/src` from top to bottom. A file imports from its own room and the rooms below. `context.ts`
 * declares the objects that features share. It contains types alone, so every room may import it.
 */
export const clientRooms: readonly string[] = [
  'extension.ts',
  'features',
  'context.ts',
  'boards',
  'notebook',
  'ingest',
  'fields',
  'agents',
  'account',
  'follow',
  'history',
  'savedQueries',
  'resources',
  'results',
  'charts',
  'query',
  'answers',
  'languageServer',
  'schema',
  'deployments',
  'time',
  'host',
  'ui',
  'service',
  'webview',
  'rpc',
  'words',
];

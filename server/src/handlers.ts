/** What the server can do, and one line per feature that does it. */
import {
  type Connection,
  type InitializeResult,
  TextDocumentSyncKind,
  type TextDocuments,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { quoteName } from '../../language/src/index.ts';
import { toOffset } from './convert.ts';
import type { Documents, Snapshot } from './documents.ts';
import { codeLenses } from './features/codeLens.ts';
import { completion, completionTriggers } from './features/completion.ts';
import { resolveCompletion } from './features/completionResolve.ts';
import { hover } from './features/hover.ts';
import { queryAt } from './features/queryAt.ts';
import { semanticTokens, semanticTokensLegend } from './features/semanticTokens.ts';
import * as protocol from './protocol.ts';
import type { SchemaStore } from './schemas.ts';

export const initializeResult: InitializeResult = {
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    completionProvider: { triggerCharacters: [...completionTriggers], resolveProvider: true },
    hoverProvider: true,
    codeLensProvider: {},
    semanticTokensProvider: { legend: semanticTokensLegend, full: true, range: true },
  },
  serverInfo: { name: 'Aplomb' },
};

/** What handlers share. */
export interface Workspace {
  readonly open: TextDocuments<TextDocument>;
  readonly documents: Documents;
  readonly schemas: SchemaStore;
}

export function registerHandlers(connection: Connection, workspace: Workspace): void {
  const snapshot = (uri: string): Snapshot | undefined => {
    const document = workspace.open.get(uri);
    return document && workspace.documents.snapshot(document, workspace.schemas.schema);
  };

  connection.onCompletion(async ({ textDocument, position }) => {
    const before = snapshot(textDocument.uri);
    if (before === undefined) return null;
    await fieldsOf(workspace.schemas, before, toOffset(before.lines, position));
    const now = snapshot(textDocument.uri);
    return now ? completion(now, toOffset(now.lines, position)) : null;
  });
  connection.onCompletionResolve(resolveCompletion);
  connection.onHover(({ textDocument, position }) => {
    const now = snapshot(textDocument.uri);
    return (now && hover(now, toOffset(now.lines, position))) ?? null;
  });
  connection.onCodeLens(({ textDocument }) => {
    const now = snapshot(textDocument.uri);
    return now ? codeLenses(now) : [];
  });
  connection.languages.semanticTokens.on(({ textDocument }) => {
    const now = snapshot(textDocument.uri);
    return now ? semanticTokens(now) : { data: [] };
  });
  connection.languages.semanticTokens.onRange(({ textDocument, range }) => {
    const now = snapshot(textDocument.uri);
    if (now === undefined) return { data: [] };
    return semanticTokens(now, {
      start: toOffset(now.lines, range.start),
      end: toOffset(now.lines, range.end),
    });
  });
  connection.onRequest(protocol.queryAtRequest, (params: protocol.QueryAtParams) => {
    const now = snapshot(params.uri);
    return now ? queryAt(now, params) : [];
  });
  connection.onRequest(protocol.quoteNameRequest, ({ name }: protocol.QuoteNameParams) =>
    quoteName(name),
  );
  connection.onNotification(
    protocol.schemaChangedNotification,
    ({ datasets }: protocol.SchemaChangedParams) => workspace.schemas.invalidate(datasets),
  );
}

/** How long a completion waits for fields on their way before it answers with what is known. */
const longestWait = 1_500;

async function fieldsOf(schemas: SchemaStore, snapshot: Snapshot, offset: number): Promise<void> {
  const asked = [
    schemas.ensureDatasets(),
    ...datasetsAt(snapshot, offset).map((n) => schemas.ensureFields(n)),
  ];
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, longestWait);
  });
  await Promise.race([Promise.all(asked), tooLong]);
  clearTimeout(timer);
}

/** The datasets that the query at an offset names. */
function datasetsAt(snapshot: Snapshot, offset: number): string[] {
  const query = snapshot.queries.find(({ start, end }) => start <= offset && offset <= end + 1);
  return query === undefined ? [] : datasetNames(query.analysis.bound.references);
}

/** The names of datasets among references, each once. */
export function datasetNames(
  references: Snapshot['queries'][number]['analysis']['bound']['references'],
): string[] {
  const names = new Set<string>();
  for (const { meaning } of references) if (meaning.kind === 'dataset') names.add(meaning.name);
  return [...names];
}

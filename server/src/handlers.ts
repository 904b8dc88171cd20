/** The features of the server, one line each, and the notifications that belong to none. */
import {
  type Connection,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { quoteName } from '../../language/src/index.ts';
import type { Feature, Workspace } from './feature.ts';
import { codeActionsFeature } from './features/codeActions.ts';
import { codeLensFeature } from './features/codeLens.ts';
import { completionFeature } from './features/completion.ts';
import { hoverFeature } from './features/hover.ts';
import { queryAtFeature } from './features/queryAt.ts';
import { semanticTokensFeature } from './features/semanticTokens.ts';
import * as protocol from './protocol.ts';

const features: readonly Feature[] = [
  codeActionsFeature,
  codeLensFeature,
  completionFeature,
  hoverFeature,
  queryAtFeature,
  semanticTokensFeature,
];

export const initializeResult: InitializeResult = {
  capabilities: Object.assign(
    { textDocumentSync: TextDocumentSyncKind.Incremental },
    ...features.map(({ capabilities }) => capabilities),
  ),
  serverInfo: { name: 'Aplomb' },
};

export function registerHandlers(connection: Connection, workspace: Workspace): void {
  for (const feature of features) feature.register(connection, workspace);
  connection.onRequest(protocol.quoteNameRequest, ({ name }: protocol.QuoteNameParams) =>
    quoteName(name),
  );
  connection.onNotification(
    protocol.schemaChangedNotification,
    ({ datasets }: protocol.SchemaChangedParams) => workspace.schemas.invalidate(datasets),
  );
}

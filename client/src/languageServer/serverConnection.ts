// The connection to the language server's process. Loaded when the server first starts, because the library is larger
// than the rest of the client.
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { RevealOutputChannelOn, State, TransportKind, vsdiag } from 'vscode-languageclient/node';
import type { StartOptions } from '../../../server/src/protocol.ts';
import type { Log } from '../host/log.ts';
import { plainFeatures, plainProblems } from '../ui/languageFeatures.ts';
import type { CalmProblems } from './calmProblems.ts';
import type { ServerState } from './languageClient.ts';
import { LanguageClient } from './languageRequests.ts';
import { linkToPages } from './problemPages.ts';
import type { Typing } from './typing.ts';

interface ConnectionParts {
  readonly extension: vscode.ExtensionContext;
  readonly language: string;
  readonly log: Log;
  readonly typing: Typing;
  readonly problems: CalmProblems;
  readonly startOptions: () => StartOptions;
  /** Called after the server has received a new document. */
  readonly onOpened: () => void;
  readonly onState: (state: ServerState) => void;
}

export function newClient(parts: ConnectionParts): LanguageClient {
  const { log, typing, problems } = parts;
  const module = parts.extension.asAbsolutePath(join('dist', 'server.cjs'));
  const client = new LanguageClient(
    'aplomb',
    'APL Language Server',
    { module, transport: TransportKind.ipc },
    {
      // Omit Markdown, because the server itself registers it for the few features that support it.
      documentSelector: [{ language: parts.language }],
      initializationOptions: parts.startOptions,
      // Request diagnostics after changes too: by default, the library does so only when a document is opened.
      diagnosticPullOptions: { onChange: true },
      // Never open the log, because it would cover the query that is being typed.
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      outputChannel: log.channel,
      traceOutputChannel: log.channel,
      middleware: {
        ...plainFeatures,
        didOpen: async (document, next) => {
          await next(document);
          parts.onOpened();
        },
        handleDiagnostics: (uri, diagnostics, next) => next(uri, shown(diagnostics)),
        provideDiagnostics: async (document, previousResultId, token, next) => {
          const report = await next(document, previousResultId, token);
          if (report?.kind !== vsdiag.DocumentDiagnosticReportKind.full) return report;
          const uri = 'uri' in document ? document.uri : document;
          const items = [...problems.visible(uri, shown(report.items))];
          if (items.length === report.items.length) return report;
          // Omit the result ID, so that the next report contains all problems.
          return { kind: report.kind, items };
        },
        // Wait, because requests during typing would make lenses flicker. Until then, lenses move with the text.
        provideCodeLenses: async (document, token, next) => {
          await typing.rested(document.uri, token);
          return token.isCancellationRequested ? [] : next(document, token);
        },
      },
    },
  );
  client.onDidChangeState(({ newState }) => parts.onState(states.get(newState) ?? 'stopped'));
  return client;
}

function shown<List extends readonly vscode.Diagnostic[]>(problems: List): List {
  return plainProblems(linkToPages(problems));
}

const states = new Map<State, ServerState>([
  [State.Running, 'running'],
  [State.Starting, 'starting'],
]);

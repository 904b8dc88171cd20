/** The least that an extension with a language server does: starts the client, with the same server as Aplomb. */
import type * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

export interface Started {
  readonly started: Promise<void>;
}

let client: LanguageClient | undefined;

export function activate(extension: vscode.ExtensionContext): Started {
  const module = extension.asAbsolutePath('server.cjs');
  client = new LanguageClient(
    extension.extension.id,
    'Language Server',
    { module, transport: TransportKind.ipc },
    { documentSelector: [{ language: 'axiom-apl' }] },
  );
  return { started: client.start() };
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

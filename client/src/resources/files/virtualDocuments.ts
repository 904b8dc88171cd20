// Documents that the language server knows although no editor shows them. Each request sends the current text first.
import type * as vscode from 'vscode';
import type * as lsp from 'vscode-languageclient';
import { languageId } from '../../host/languageId.ts';
import type { LanguageServer } from '../../languageServer/languageClient.ts';
import type { LanguageClient } from '../../languageServer/languageRequests.ts';
import {
  plainCompletions,
  plainHover,
  plainProblems,
  plainResolved,
} from '../../ui/languageFeatures.ts';

export interface VirtualDocument {
  readonly uri: string;
  readonly text: string;
}

interface Answers {
  'textDocument/diagnostic': lsp.DocumentDiagnosticReport;
  'textDocument/completion': lsp.CompletionList | lsp.CompletionItem[] | null;
  'textDocument/hover': lsp.Hover | null;
  'textDocument/codeAction': lsp.CodeAction[] | null;
}

interface VirtualFix {
  readonly title: string;
  readonly isPreferred: boolean;
  readonly edits: readonly lsp.TextEdit[];
}

export class VirtualDocuments implements vscode.Disposable {
  readonly #language: LanguageServer;
  /** The documents that are open in the server, by URI. */
  readonly #open = new Map<string, { text: string; version: number }>();
  readonly #subscription: vscode.Disposable;

  constructor(language: LanguageServer) {
    this.#language = language;
    this.#subscription = language.onDidChangeState((state) => {
      if (state !== 'running') this.#open.clear();
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async diagnostics(document: VirtualDocument): Promise<vscode.Diagnostic[]> {
    const [client, report] = await this.#ask(document, 'textDocument/diagnostic');
    if (report.kind !== 'full') return [];
    return plainProblems(await client.protocol2CodeConverter.asDiagnostics(report.items));
  }

  async completions(
    document: VirtualDocument,
    position: lsp.Position,
    { triggerKind, triggerCharacter }: vscode.CompletionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionList | undefined> {
    // Add 1, because trigger kinds start at 1 in the protocol and at 0 in VS Code.
    const context = { triggerKind: triggerKind + 1, ...(triggerCharacter && { triggerCharacter }) };
    const params = { position, context };
    const [client, answer] = await this.#ask(document, 'textDocument/completion', params, token);
    const list = Array.isArray(answer) ? { isIncomplete: false, items: answer } : answer;
    const found = (await client.protocol2CodeConverter.asCompletionResult(
      list,
      undefined,
      token,
    )) as vscode.CompletionList | undefined;
    plainCompletions(found?.items ?? []);
    return found;
  }

  /** Returns a completion item with the details that the server adds to a selected item. */
  async resolve(
    item: vscode.CompletionItem,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionItem> {
    const client = await this.#language.client();
    return plainResolved(item, async () => {
      const asked = client.code2ProtocolConverter.asCompletionItem(item);
      const answer = await client.sendRequest<lsp.CompletionItem>(
        'completionItem/resolve',
        asked,
        token,
      );
      return client.protocol2CodeConverter.asCompletionItem(answer);
    });
  }

  async hover(
    document: VirtualDocument,
    position: lsp.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const [client, answer] = await this.#ask(document, 'textDocument/hover', { position }, token);
    return plainHover(client.protocol2CodeConverter.asHover(answer));
  }

  async fixes(
    document: VirtualDocument,
    range: lsp.Range,
    token: vscode.CancellationToken,
  ): Promise<readonly VirtualFix[]> {
    const params = { range, context: { diagnostics: [], only: ['quickfix'] } };
    const [, found] = await this.#ask(document, 'textDocument/codeAction', params, token);
    return (found ?? []).map(({ title, isPreferred = false, edit }) => ({
      title,
      isPreferred,
      edits: Object.values(edit?.changes ?? {}).flat(),
    }));
  }

  async close(ending: string): Promise<void> {
    const gone = [...this.#open.keys()].filter((uri) => uri.endsWith(ending));
    if (gone.length === 0) return;
    const client = await this.#language.client();
    for (const uri of gone) {
      this.#open.delete(uri);
      await client.sendNotification('textDocument/didClose', { textDocument: { uri } });
    }
  }

  async #ask<Method extends keyof Answers>(
    document: VirtualDocument,
    method: Method,
    params: object = {},
    token?: vscode.CancellationToken,
  ): Promise<[LanguageClient, Answers[Method]]> {
    const client = await this.#synchronized(document);
    const request = { textDocument: { uri: document.uri }, ...params };
    // Omit an undefined token, because the client would send it as a second parameter.
    const answer =
      token === undefined
        ? client.sendRequest<Answers[Method]>(method, request)
        : client.sendRequest<Answers[Method]>(method, request, token);
    return [client, await answer];
  }

  async #synchronized({ uri, text }: VirtualDocument): Promise<LanguageClient> {
    const client = await this.#language.client();
    const open = this.#open.get(uri);
    if (open?.text === text) return client;
    const version = (open?.version ?? 0) + 1;
    this.#open.set(uri, { text, version });
    if (open === undefined) {
      const textDocument = { uri, languageId, version, text };
      await client.sendNotification('textDocument/didOpen', { textDocument });
    } else {
      const textDocument = { uri, version };
      const contentChanges = [{ text }];
      await client.sendNotification('textDocument/didChange', { textDocument, contentChanges });
    }
    return client;
  }
}

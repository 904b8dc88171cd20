// Quick fixes for APL inside a resource's JSON.
import * as vscode from 'vscode';
import type * as lsp from 'vscode-languageclient';
import { encode } from '../../../../resources/src/jsonText.ts';
import { quickFix } from '../../ui/editorParts.ts';
import { embeddedAt } from './embedded.ts';
import { jsonSelector } from './laterChecks.ts';
import type { VirtualDocuments } from './virtualDocuments.ts';

export function registerEmbeddedFixes(documents: VirtualDocuments): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    jsonSelector,
    {
      async provideCodeActions(document, range, { diagnostics }, token) {
        const part = embeddedAt(document, range.start);
        if (part === undefined) return undefined;
        const span = { start: part.positionIn(range.start), end: part.positionIn(range.end) };
        const fixes = await documents.fixes(part.document, span, token);
        return fixes.map(({ title, isPreferred, edits }) => {
          const action = quickFix(title);
          action.edit = new vscode.WorkspaceEdit();
          for (const edit of edits) {
            action.edit.replace(
              document.uri,
              part.rangeOf(toRange(edit.range)),
              encode(edit.newText),
            );
          }
          action.diagnostics = diagnostics.filter((one) => one.range.intersection(range));
          if (isPreferred) action.isPreferred = true;
          return action;
        });
      },
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

function toRange({ start, end }: lsp.Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

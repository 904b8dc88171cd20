// Documentation pages about problems, one Markdown file per code. Links in diagnostics can't run commands, so the
// manifest opens the pages' URIs in VS Code's Markdown preview.
import * as vscode from 'vscode';

const scheme = 'aplomb-problem';

export const serverSource = 'APL';

export function servePages(extension: vscode.Uri): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: async ({ path }) => {
      const page = vscode.Uri.joinPath(extension, 'docs', 'diagnostics', path);
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(page));
    },
  });
}

export function pageOf(code: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${code}.md` });
}

export function linkToPages<List extends readonly vscode.Diagnostic[]>(diagnostics: List): List {
  for (const diagnostic of diagnostics) {
    const code = codeOf(diagnostic);
    if (code !== undefined) diagnostic.code = { value: code, target: pageOf(code) };
  }
  return diagnostics;
}

/** Returns the code of a diagnostic from the language server. The service's codes have no pages. */
export function codeOf({ source, code }: vscode.Diagnostic): string | undefined {
  if (source !== serverSource) return undefined;
  const value = typeof code === 'object' ? code.value : code;
  return typeof value === 'string' && /^[a-z][a-z0-9-]*$/.test(value) ? value : undefined;
}

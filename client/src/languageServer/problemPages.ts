// The pages that explain problems, one Markdown file per code, shipped with the extension and read in the
// editor's own preview. They have addresses of their own, for which the manifest makes the preview the
// editor, so that a click on a problem's code needs no command, which such links may not run.
import * as vscode from 'vscode';

const scheme = 'aplomb-problem';

/** The language server's `source` in diagnostics. */
export const serverSource = 'APL';

/** Gives the text of pages to whatever opens their addresses. */
export function servePages(extension: vscode.Uri): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: async ({ path }) => {
      const page = vscode.Uri.joinPath(extension, 'docs', 'diagnostics', path);
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(page));
    },
  });
}

/** The address of a code's page. */
export function pageOf(code: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${code}.md` });
}

/** Makes the code of each of the server's diagnostics a link to its page. */
export function linkToPages<List extends readonly vscode.Diagnostic[]>(diagnostics: List): List {
  for (const diagnostic of diagnostics) {
    const code = codeOf(diagnostic);
    if (code !== undefined) diagnostic.code = { value: code, target: pageOf(code) };
  }
  return diagnostics;
}

/** The code of a diagnostic of the language server; the service's own codes have no pages. */
export function codeOf({ source, code }: vscode.Diagnostic): string | undefined {
  if (source !== serverSource) return undefined;
  const value = typeof code === 'object' ? code.value : code;
  return typeof value === 'string' && /^[a-z][a-z0-9-]*$/.test(value) ? value : undefined;
}

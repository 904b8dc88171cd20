// Markdown, the only way to make it: paragraphs of plain text and blocks of code. VS Code reads a string as Markdown in
// hovers and decorations.
import * as vscode from 'vscode';
import { escapedMarkdown, visibleMarkdown } from './plain.ts';

/** Text as Markdown that shows it literally, a paragraph each, and a block of code after it. */
export function paragraphs(
  texts: readonly string[],
  code?: { readonly language: string; readonly text: string },
): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(texts.map(escapedMarkdown).join('\n\n'));
  if (code) markdown.appendCodeblock(visibleMarkdown(code.text), code.language);
  return markdown;
}

export function plainHover(texts: readonly string[], range: vscode.Range): vscode.Hover {
  return new vscode.Hover(paragraphs(texts), range);
}

// Creates Markdown that consists of plain paragraphs and code blocks. No other module may create Markdown. VS Code also
// reads strings in hovers and decorations as Markdown.
import * as vscode from 'vscode';
import { escapedMarkdown, visibleMarkdown } from './plain.ts';

/** Returns Markdown with a paragraph of literal text for each string, followed by a code block. */
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

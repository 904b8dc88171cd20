/** Suppresses a problem with a comment on the line above it. */
import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver';
import type { ProblemCode } from '../../../language/src/index.ts';
import { toTextEdits } from '../convert.ts';
import type { Snapshot } from '../documents.ts';

/** Matches a directive up to the end of its codes, ahead of any explanation. */
const silencingComment =
  /^([ \t]*\/\/ ?aplomb-disable-next-line\b.*?)[ \t]*(?:[ \t]--(?:[ \t].*)?)?$/;

/** Returns the action that suppresses a code on the line of a document offset. */
export function silencingAction(
  { uri, text, lines }: Snapshot,
  offset: number,
  code: ProblemCode,
  diagnostics: Diagnostic[],
): CodeAction {
  const { line } = lines.positionAt(offset);
  const lineStart = lines.offsetAt({ line, character: 0 });
  const above = lines.offsetAt({ line: line - 1, character: 0 });
  const comment =
    line === 0 ? undefined : silencingComment.exec(text.slice(above, lineStart).trimEnd())?.[1];
  const indent = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
  const edit =
    comment === undefined
      ? { at: lineStart, text: `${indent}// aplomb-disable-next-line ${code}\n` }
      : { at: above + comment.length, text: `, ${code}` };
  return {
    title: `Suppress ${code} for this line`,
    kind: CodeActionKind.QuickFix,
    ...(diagnostics.length === 0 ? {} : { diagnostics }),
    edit: {
      changes: { [uri]: toTextEdits(lines, [{ start: edit.at, end: edit.at, text: edit.text }]) },
    },
  };
}

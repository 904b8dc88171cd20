/** Suppresses a problem with a comment on the line above it. */
import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver';
import { insert } from '../../../language/src/editing.ts';
import type { Edit, ProblemCode } from '../../../language/src/index.ts';
import { toTextEdits } from '../convert.ts';
import type { Snapshot } from '../documents.ts';

/** Captures a directive up to the end of its codes, without the reason after `--`. */
const silencingComment =
  /^([ \t]*\/\/ ?aplomb-disable-next-line\b.*?)[ \t]*(?:[ \t]--(?:[ \t].*)?)?$/;

export function silencingAction(
  snapshot: Snapshot,
  offset: number,
  code: ProblemCode,
  diagnostics: Diagnostic[],
): CodeAction {
  const { text, lines } = snapshot;
  const { line } = lines.positionAt(offset);
  const lineStart = lines.offsetAt({ line, character: 0 });
  const above = lines.offsetAt({ line: line - 1, character: 0 });
  const comment =
    line === 0 ? undefined : silencingComment.exec(text.slice(above, lineStart).trimEnd())?.[1];
  const indent = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
  const edit =
    comment === undefined
      ? insert(lineStart, `${indent}// aplomb-disable-next-line ${code}\n`)
      : insert(above + comment.length, `, ${code}`);
  return quickFix(snapshot, `Suppress ${code} for this line`, [edit], diagnostics);
}

/** Returns a quick fix that applies edits. The edits' offsets are relative to `base`. */
export function quickFix(
  { uri, lines }: Snapshot,
  title: string,
  edits: readonly Edit[],
  diagnostics: Diagnostic[],
  base = 0,
): CodeAction {
  return {
    title,
    kind: CodeActionKind.QuickFix,
    ...(diagnostics.length === 0 ? {} : { diagnostics }),
    edit: { changes: { [uri]: toTextEdits(lines, edits, base) } },
  };
}

/** Decides when trigger characters open completion. The list captures Enter, so open it only if input must follow. */
import type { Context } from '../../../../language/src/editing.ts';

export const triggerCharacters = ['|', ' ', '.', '(', "'", '"', '=', ':', '$'] as const;

/** Returns whether completion opens. Without a trigger character, it always opens. */
export function wanted(context: Context, trigger: string | undefined): boolean {
  switch (trigger) {
    case undefined:
    case '|':
    case '.':
      return true;
    case ' ':
      return afterBlank(context);
    case "'":
    case '"':
      return context.kind === 'text' || isBracketed(context);
    case '(':
      return context.kind !== 'expression' || context.tables || context.compared !== undefined;
    case '=':
      return (
        context.kind === 'word' || (context.kind === 'expression' && context.compared !== undefined)
      );
    case ':':
      return context.kind === 'type';
    case '$':
      return context.kind === 'expression' && context.right !== undefined;
    default:
      return true;
  }
}

/** Returns whether typing a space opens completion: not in strings, and not after text that may be complete. */
function afterBlank(context: Context): boolean {
  switch (context.kind) {
    case 'afterExpression':
      return context.unfinished;
    case 'source':
      return !context.statements;
    case 'text':
      return false;
    default:
      return true;
  }
}

function isBracketed({ kind }: Context): boolean {
  return kind !== 'text' && kind !== 'word' && kind !== 'type' && kind !== 'afterExpression';
}

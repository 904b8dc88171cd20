/**
 * When a typed character asks for completion by itself. A list that opens takes the Enter key, so one
 * opens only where something has to follow, and not behind every blank.
 */
import type { Context } from '../../../../language/src/editing.ts';

export const triggerCharacters = ['|', ' ', '.', '(', "'", '"', '=', ':', '$'] as const;

/** Whether a context is answered after a trigger character; without one it always is. */
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

/** Behind a blank: not where a stage, a condition or a list may be complete. */
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

/** Whether a quoted name may be what is begun. */
function isBracketed({ kind }: Context): boolean {
  return kind !== 'text' && kind !== 'word' && kind !== 'type' && kind !== 'afterExpression';
}

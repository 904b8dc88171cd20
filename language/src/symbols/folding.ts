/**
 * What of a text can be folded: whole queries and statements, what brackets hold, stages of several
 * lines, comments, and what stands between `// #region` and `// #endregion`.
 */
import { matchBrackets } from '../syntax/brackets.ts';
import { endOfLine } from '../syntax/lines.ts';
import type { Token } from '../syntax/tokens.ts';
import type { QueryTree } from '../syntax/tree.ts';
import { walk } from '../syntax/visit.ts';
import type { Span } from '../text.ts';

/** A span that can be folded when it covers several lines. */
export interface Fold extends Span {
  readonly kind: 'code' | 'comment' | 'region';
  /** Whether what stands at the end, a closing bracket, stays to be seen. */
  readonly keepsEnd: boolean;
}

const known = new WeakMap<QueryTree, readonly Fold[]>();

/**
 * The folds of a query, relative to it, found once for each tree; of two that start on one line the first
 * is the one to offer.
 */
export function foldsOf(tree: QueryTree): readonly Fold[] {
  let folds = known.get(tree);
  if (folds === undefined) {
    const statements = tree.statements.map(({ start, end }) => code(start, end));
    // What a bracket holds on the line of a statement is worth more than the statement.
    folds = [...queryFold(tree), ...bracketFolds(tree), ...statements, ...stageFolds(tree)];
    known.set(tree, folds);
  }
  return folds;
}

function code(start: number, end: number, keepsEnd = false): Fold {
  return { kind: 'code', keepsEnd, start, end };
}

/** The whole query, without the comments around it. */
function queryFold({ tokens }: QueryTree): Fold[] {
  const [first] = tokens;
  const last = tokens.at(-2);
  return first === undefined || last === undefined ? [] : [code(first.start, last.end)];
}

function bracketFolds({ text, tokens }: QueryTree): Fold[] {
  const { match } = matchBrackets(text, tokens);
  const folds: Fold[] = [];
  for (const [opener, closer] of match.entries()) {
    if (closer <= 0) continue;
    folds.push(code((tokens[opener] as Token).start, (tokens[closer] as Token).start, true));
  }
  return folds;
}

function stageFolds(tree: QueryTree): Fold[] {
  const folds: Fold[] = [];
  walk(tree.statements, (node) => {
    if (node.kind === 'Stage') folds.push(code(node.start, node.end));
  });
  return folds;
}

const regionStart = /^\/\/\s*#?region\b/;
const regionEnd = /^\/\/\s*#?endregion\b/;

/**
 * The blocks of comment lines in a document, and its regions. Comments may stand between queries, and a
 * region may go over several, so these are read from the lines and not from the trees; no string of APL
 * goes over the end of its line, so that a line that starts with `//` is a comment.
 */
export function commentFolds(text: string): Fold[] {
  const folds: Fold[] = [];
  const regions: number[] = [];
  let block: { start: number; end: number } | undefined;
  const close = () => {
    if (block !== undefined) folds.push({ kind: 'comment', keepsEnd: false, ...block });
    block = undefined;
  };
  for (let line = 0; line < text.length; ) {
    const end = endOfLine(text, line);
    const first = firstOfLine(text, line, end);
    if (!text.startsWith('//', first)) {
      close();
    } else {
      const comment = text.slice(first, Math.min(end, first + 200));
      if (regionStart.test(comment)) {
        close();
        regions.push(first);
      } else if (regionEnd.test(comment)) {
        close();
        const start = regions.pop();
        if (start !== undefined) folds.push({ kind: 'region', keepsEnd: false, start, end });
      } else {
        block = { start: block?.start ?? first, end };
      }
    }
    line = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
  close();
  return folds;
}

function firstOfLine(text: string, line: number, end: number): number {
  let at = line;
  while (at < end && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at++;
  return at;
}

/** Finds foldable ranges: queries, statements, brackets, stages, comments, and `// #region` to `// #endregion`. */
import { oncePer } from '../maps.ts';
import { matchBrackets } from '../syntax/brackets.ts';
import { endOfLine } from '../syntax/lines.ts';
import type { Token } from '../syntax/tokens.ts';
import type { QueryTree } from '../syntax/tree.ts';
import { walk } from '../syntax/visit.ts';
import type { Span } from '../text.ts';

export interface Fold extends Span {
  readonly kind: 'code' | 'comment' | 'region';
  /** Whether the end, such as a closing bracket, stays visible when the span is folded. */
  readonly keepsEnd: boolean;
}

/** Returns the folds of a query, cached per tree. If two folds start on one line, the editor shows the first. */
export const foldsOf = oncePer((tree: QueryTree): readonly Fold[] => {
  const statements = tree.statements.map(({ start, end }) => code(start, end));
  // Put brackets before statements: if both start on one line, the bracket's contents are more useful to fold.
  return [...queryFold(tree), ...bracketFolds(tree), ...statements, ...stageFolds(tree)];
});

function code(start: number, end: number, keepsEnd = false): Fold {
  return { kind: 'code', keepsEnd, start, end };
}

function queryFold({ tokens }: QueryTree): Fold[] {
  const [first] = tokens;
  const last = tokens.at(-2);
  return first === undefined || last === undefined ? [] : [code(first.start, last.end)];
}

function bracketFolds({ text, tokens }: QueryTree): Fold[] {
  const { match } = matchBrackets(text, tokens);
  return [...match.entries()]
    .filter(([, closer]) => closer > 0)
    .map(([opener, closer]) => {
      return code((tokens[opener] as Token).start, (tokens[closer] as Token).start, true);
    });
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
 * Returns the folds of a document's comments and regions. Scans lines, because comments may be outside queries. APL
 * strings never span lines, so a line that starts with `//` is a comment.
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
    let first = line;
    while (text.charAt(first) === ' ' || text.charAt(first) === '\t') first++;
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

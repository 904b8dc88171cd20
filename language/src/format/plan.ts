/** Walks a query's tree and applies each node's rules for spaces and line breaks. */
import { operatorEditing } from '../operators/index.ts';
import type { QueryTree, Statement } from '../syntax/tree.ts';
import { type AnyNode, children } from '../syntax/visit.ts';
import { type Caution, keepBroken } from './broken.ts';
import { expressionRules } from './expressionRules.ts';
import { markLeaf, type Rules } from './rules.ts';
import { Sheet, spacing } from './sheet.ts';
import { sourceRules } from './sourceRules.ts';

const rules: Rules = Object.assign(
  { ...sourceRules, ...expressionRules },
  ...Object.values(operatorEditing).map(({ layout }) => layout),
);

export function planQuery(tree: QueryTree, caution: Caution): Sheet {
  const sheet = new Sheet(tree);
  const kept = keepBroken(sheet, caution);
  const visit = (node: AnyNode, parent: AnyNode | undefined): void => {
    if (kept.has(node)) return;
    // Keep the whitespace in an operator's name, which may consist of several tokens, as in `project-away`.
    if ('keyword' in node) {
      const { start, end } = node.keyword;
      sheet.markInside(sheet.at(start), sheet.at(end), spacing.written);
    }
    const rule = rules[node.kind] as Rule | undefined;
    rule?.(sheet, node, parent);
    const inside = children(node);
    if (inside.length === 0) markLeaf(sheet, node);
    for (const child of inside) visit(child, node);
  };
  separate(sheet, tree.statements);
  for (const statement of tree.statements) visit(statement, undefined);
  return sheet;
}

type Rule = (sheet: Sheet, node: AnyNode, parent: AnyNode | undefined) => void;

function separate(sheet: Sheet, statements: readonly Statement[]): void {
  const breaks = statements.slice(1).map(({ start }) => ({ gap: sheet.at(start), indent: 0 }));
  sheet.group(0, sheet.tokens.length, breaks, { broken: true });
}

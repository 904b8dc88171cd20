/** Leaves parts with syntax errors unformatted, because new whitespace might change how the rest is parsed. */

import { problemRows } from '../problems.ts';
import { maxProblems } from '../syntax/limits.ts';
import type { QueryTree } from '../syntax/tree.ts';
import { type AnyNode, children } from '../syntax/visit.ts';
import { type Sheet, spacing } from './sheet.ts';

/**
 * The text to leave unformatted around an error. `stage`: the innermost stage, source or statement. `lines`: the
 * outermost stage, source or statement, and all lines with errors, because the parser recovers at line ends.
 */
export type Caution = 'stage' | 'lines';

/** Returns whether the parser stopped reporting problems at its limit, so that the query may contain other errors. */
export function isBeyondRepair(tree: QueryTree): boolean {
  return tree.problems.length >= maxProblems;
}

/**
 * Marks the gaps between tokens whose whitespace stays unchanged. Returns the stages, sources and statements to leave
 * unformatted.
 */
export function keepBroken(sheet: Sheet, caution: Caution): ReadonlySet<AnyNode> {
  const kept = new Set<AnyNode>();
  const bad = badTokens(sheet);
  const sums = new Int32Array(bad.length + 1);
  for (let i = 0; i < bad.length; i++) sums[i + 1] = (sums[i] as number) + (bad[i] as number);
  const between = (node: AnyNode) =>
    (sums[sheet.at(node.end)] as number) - (sums[sheet.at(node.start)] as number);

  /** Visits a node. Returns the number of bad tokens in the node's unformatted parts. */
  const visit = (node: AnyNode, parent: AnyNode | undefined, outer?: Region): number => {
    const own =
      isRegion(node, parent) && (outer === undefined || caution === 'stage')
        ? { broken: false }
        : undefined;
    const region = own ?? outer;
    if (region !== undefined && (node.kind === 'Missing' || node.kind === 'UnknownOperator')) {
      region.broken = true;
    }
    let taken = 0;
    for (const child of children(node)) taken += visit(child, node, region);
    if (own === undefined) return taken;
    const found = between(node);
    if (!own.broken && found === taken) return taken;
    kept.add(node);
    keep(sheet, node);
    return found;
  };
  for (const statement of sheet.tree.statements) visit(statement, undefined);
  keepStray(sheet, bad);
  if (caution === 'lines') keepLines(sheet, bad);
  return kept;
}

interface Region {
  broken: boolean;
}

const statementRegions = new Set(['LetStatement', 'SetStatement', 'DeclareStatement']);

function isRegion(node: AnyNode, parent: AnyNode | undefined): boolean {
  if (node.kind === 'Stage' || statementRegions.has(node.kind)) return true;
  return parent?.kind === 'Pipeline' && parent.source === node;
}

function keep(sheet: Sheet, node: AnyNode): void {
  const first = sheet.at(node.start);
  sheet.markInside(first, sheet.at(node.end), spacing.kept);
  // Keep the whitespace before a stage without a pipe, because nothing else separates it from the preceding stage.
  if (node.kind === 'Stage' && node.pipe.start === node.pipe.end) sheet.mark(first, spacing.kept);
}

/** Returns 1 for each token with an error, and 0 for the others. */
function badTokens(sheet: Sheet): Uint8Array {
  const { tree, tokens } = sheet;
  const bad = new Uint8Array(tokens.length);
  for (const [i, { flaw }] of tokens.entries()) if (flaw !== undefined) bad[i] = 1;
  for (const { code, start, end } of tree.problems) {
    if (problemRows[code as keyof typeof problemRows].severity !== 'error') continue;
    // A missing token is reported at the end of the token before it, so mark that token.
    bad[Math.max(0, sheet.at(start) - (start === end ? 1 : 0))] = 1;
  }
  return bad;
}

/** Keeps the whitespace around bad tokens that are outside all statements. */
function keepStray(sheet: Sheet, bad: Uint8Array): void {
  const inside = new Uint8Array(bad.length);
  for (const { start, end } of sheet.tree.statements) {
    inside.fill(1, sheet.at(start), sheet.at(end));
  }
  for (let i = 0; i < bad.length; i++) {
    if (bad[i] === 0 || inside[i] === 1) continue;
    sheet.mark(i, spacing.kept);
    if (i + 1 < bad.length) sheet.mark(i + 1, spacing.kept);
  }
}

/** Keeps the whitespace on each line with a bad token, and the line breaks before and after that line. */
function keepLines(sheet: Sheet, bad: Uint8Array): void {
  for (let start = 0; start < bad.length; ) {
    let end = start + 1;
    while (end < bad.length && !sheet.hasLineBreak(end)) end++;
    if (bad.subarray(start, end).includes(1)) {
      sheet.markInside(start - 1, Math.min(end + 1, bad.length), spacing.kept);
    }
    start = end;
  }
}

/**
 * Invariants of every tree: no text is lost, nodes nest, problem codes are in the problem table.
 */
import assert from 'node:assert/strict';
import { type ProblemCode, problemRows } from '../../../language/src/problems.ts';
import { maxHeight, maxProblems } from '../../../language/src/syntax/limits.ts';
import { parseQuery } from '../../../language/src/syntax/parser.ts';
import type { QueryTree } from '../../../language/src/syntax/tree.ts';
import { triviaIn, unparse } from '../../../language/src/syntax/trivia.ts';
import { type AnyNode, children } from '../../../language/src/syntax/visit.ts';

/** Asserts all invariants of a tree. */
export function checkTree(text: string): QueryTree {
  const tree = parseQuery(text);
  assert.equal(unparse(tree), text);
  checkGaps(tree);
  checkNesting(tree.statements, 0, text.length, 0);
  checkReports(tree);
  return tree;
}

/** Asserts that tokens are in order and separated only by whitespace and comments. */
function checkGaps(tree: QueryTree): void {
  let end = 0;
  for (const token of tree.tokens) {
    assert.ok(token.start >= end && (token.end > token.start || token.kind === 'end'));
    for (const piece of triviaIn(tree.text, { start: end, end: token.start })) {
      const written = tree.text.slice(piece.start, piece.end);
      assert.match(written, piece.kind === 'comment' ? /^\/\/.*$/ : /^[\s\u0085\u200B\u2060]+$/);
    }
    end = token.end;
  }
  assert.equal(end, tree.text.length);
}

/** Asserts that each node is within its parent's range and after its earlier siblings. */
function checkNesting(nodes: readonly AnyNode[], start: number, end: number, height: number): void {
  assert.ok(height < 2 * maxHeight);
  let last = start;
  for (const node of nodes) {
    assert.ok(node.start >= last, `${node.kind} at ${node.start} starts before ${last}`);
    assert.ok(node.end >= node.start && node.end <= end, `${node.kind} ends at ${node.end}`);
    last = node.end;
    checkNesting(children(node), node.start, node.end, height + 1);
  }
}

/** Asserts that problems have distinct offsets, known codes and complete messages. */
function checkReports(tree: QueryTree): void {
  const seen = new Set<number>();
  for (const problem of tree.problems) {
    assert.ok(
      0 <= problem.start && problem.start <= problem.end && problem.end <= tree.text.length,
    );
    assert.ok(!seen.has(problem.start), `two problems at ${problem.start}`);
    seen.add(problem.start);
    const row = problemRows[problem.code as ProblemCode];
    assert.ok(row !== undefined, `no row for ${problem.code}`);
    for (const [, name = ''] of row.message.matchAll(/\{(\w+)\}/g)) {
      assert.ok(problem.values?.[name] !== undefined, `${problem.code} lacks ${name}`);
    }
  }
  assert.ok(tree.problems.length <= maxProblems);
}

/**
 * Text → everything there is to say about it. `analyzeQuery` is one query, its offsets relative to the
 * query's own text, so that it can be kept by that text; `analyze` is a document of queries.
 */
import { type BindOptions, bindQuery } from './binding/bind.ts';
import type { BoundQuery } from './binding/bound.ts';
import { kustoScalarOperators } from './binding/kustoHints.ts';
import { closest, scalarOperators } from './catalog/index.ts';
import { type Problem, type ProblemCode, problem } from './problems.ts';
import { splitQueries } from './queries.ts';
import type { Schema } from './schema.ts';
import { parseQuery } from './syntax/parser.ts';
import type { QueryTree, SyntaxProblem } from './syntax/tree.ts';
import type { Span } from './text.ts';

/** One query; all offsets are relative to the start of its text. */
export interface QueryAnalysis {
  readonly tree: QueryTree;
  readonly bound: BoundQuery;
  /** Of the syntax and of the binding, in text order, each cause once. */
  readonly problems: readonly Problem[];
}

/** A query of a document: its span there, and its text, to which the offsets in `bound` belong. */
export interface AnalyzedQuery extends Span {
  readonly text: string;
  readonly bound: BoundQuery;
}

/** A document; offsets of problems and queries are half-open and absolute. */
export interface Analysis {
  readonly problems: readonly Problem[];
  readonly queries: readonly AnalyzedQuery[];
}

/**
 * Analyses the text of one query. The schema may say little or nothing: what it does not tell is no
 * problem. The same schema object must not be changed later, since look-ups in it are remembered.
 */
export function analyzeQuery(
  text: string,
  schema?: Schema,
  options: BindOptions = {},
): QueryAnalysis {
  const tree = parseQuery(text);
  const bound = bindQuery(tree, schema, options);
  return { tree, bound, problems: mergeProblems(tree, bound) };
}

/** Analyses a document of any number of queries. */
export function analyze(source: string, schema?: Schema, options: BindOptions = {}): Analysis {
  const problems: Problem[] = [];
  const queries: AnalyzedQuery[] = [];
  for (const { start, end } of splitQueries(source)) {
    const text = source.slice(start, end);
    const { bound, problems: found } = analyzeQuery(text, schema, options);
    queries.push({ start, end, text, bound });
    for (const one of found) {
      problems.push(shifted(one, start));
    }
  }
  return { problems, queries };
}

/** A problem of a query as one of its document. */
function shifted(problem: Problem, by: number): Problem {
  const { start, end, fix } = problem;
  const moved = { ...problem, start: start + by, end: end + by };
  if (fix === undefined) return moved;
  const edits = fix.edits.map((edit) => ({
    start: edit.start + by,
    end: edit.end + by,
    text: edit.text,
  }));
  return { ...moved, fix: { title: fix.title, edits } };
}

/** Syntax comes first where both complain: what the binder says of a broken place is mostly an echo. */
function mergeProblems(tree: QueryTree, bound: BoundQuery): readonly Problem[] {
  if (tree.problems.length === 0) return bound.problems;
  const problems = tree.problems.map(syntaxProblem);
  const errors = new Set(problems.map(({ start, end }) => `${start}:${end}`));
  for (const one of bound.problems) {
    if (!errors.has(`${one.start}:${one.end}`)) problems.push(one);
  }
  return problems.sort((a, b) => a.start - b.start || a.end - b.end);
}

function syntaxProblem(found: SyntaxProblem): Problem {
  const name = found.values?.['name'] ?? '';
  if (found.code === 'unknown-scalar-operator') return unknownScalarOperator(found, name);
  return problem(found.code as ProblemCode, found, found.values);
}

const wordOperators: readonly string[] = scalarOperators
  .map((row) => row.name)
  .filter((name) => /^\w/.test(name));

/** A word where an operator stands: one of Kusto's or SQL's, or a misspelt one. */
function unknownScalarOperator(span: Span, name: string): Problem {
  const instead = kustoScalarOperators.get(name);
  if (instead !== undefined) return problem('kusto-scalar-operator', span, { name, instead });
  const nearest = closest(name, wordOperators);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return problem('unknown-scalar-operator', span, { name, hint }, nearest);
}

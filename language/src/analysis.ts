/**
 * Text → everything there is to say about it. `analyzeQuery` is one query, its offsets relative to the
 * query's own text, so that it can be kept by that text; `analyze` is a document of queries.
 */
import { append, packed } from './append.ts';
import { type BindOptions, bindQuery } from './binding/bind.ts';
import type { BoundQuery } from './binding/bound.ts';
import { closest, scalarOperators } from './catalog/index.ts';
import { kustoScalarOperators } from './catalog/kusto.ts';
import type { Directive } from './directives.ts';
import { lint } from './lints/index.ts';
import { didYouMean, movedProblem, type Problem, type ProblemCode, problem } from './problems.ts';
import { splitQueries } from './queries.ts';
import type { Schema } from './schema.ts';
import { disabledInFile, type PlacedQuery, problemsOfFile, silence } from './silence.ts';
import { parseQuery } from './syntax/parser.ts';
import type { QueryTree, SyntaxProblem } from './syntax/tree.ts';
import { inTextOrder, type Span } from './text.ts';

/** One query; all offsets are relative to the start of its text. */
export interface QueryAnalysis {
  readonly tree: QueryTree;
  readonly bound: BoundQuery;
  /** Of the syntax and of the binding, in text order, each cause once. */
  readonly problems: readonly Problem[];
  /** Problems that a comment or `disabled` silences. What runs a query must look at them too. */
  readonly silenced: readonly Problem[];
  /** The comments of the query that speak to the linter. */
  readonly directives: readonly Directive[];
}

export interface AnalyzeOptions extends BindOptions {
  /** Codes of problems that nobody wants to hear of; unknown ones are of no account. */
  readonly disabled?: readonly string[];
}

/** A query of a document: its span there, and its text, to which the offsets in `bound` belong. */
export interface AnalyzedQuery extends PlacedQuery {
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
  options: AnalyzeOptions = {},
): QueryAnalysis {
  const tree = parseQuery(text);
  const bound = bindQuery(tree, schema, options);
  const found = mergeProblems(tree, bound);
  const { problems, silenced, directives } = silence(bound, found, options.disabled ?? []);
  return { tree, bound, problems, silenced, directives };
}

/** Analyses a document of any number of queries. */
export function analyze(source: string, schema?: Schema, options: AnalyzeOptions = {}): Analysis {
  const disabled = [...(options.disabled ?? []), ...disabledInFile(source)];
  const all = { ...options, disabled };
  const problems: Problem[] = [];
  const queries: AnalyzedQuery[] = [];
  for (const { start, end } of splitQueries(source)) {
    const text = source.slice(start, end);
    const analysis = analyzeQuery(text, schema, all);
    for (const one of analysis.problems) problems.push(movedProblem(one, start));
    queries.push({ start, end, text, bound: analysis.bound, analysis });
  }
  append(problems, problemsOfFile(source, queries, disabled));
  return { problems: inTextOrder(problems), queries };
}

/** Syntax comes first where both complain: what the binder says of a broken place is mostly an echo. */
function mergeProblems(tree: QueryTree, bound: BoundQuery): readonly Problem[] {
  if (tree.problems.length === 0) return withLints(bound);
  const problems = tree.problems.map(syntaxProblem);
  const errors = new Set(problems.map(({ start, end }) => `${start}:${end}`));
  for (const one of bound.problems) {
    if (!errors.has(`${one.start}:${one.end}`)) problems.push(one);
  }
  return inTextOrder(problems);
}

/** Lints are left out where the binder marks the very same text: it knows more. */
function withLints(bound: BoundQuery): readonly Problem[] {
  const found = lint(bound);
  if (found.length === 0) return bound.problems;
  if (bound.problems.length === 0) return packed(inTextOrder(found));
  const marked = new Set(bound.problems.map(({ start, end }) => `${start}:${end}`));
  const problems = [...bound.problems];
  for (const one of found) if (!marked.has(`${one.start}:${one.end}`)) problems.push(one);
  return inTextOrder(problems);
}

/** What keeps a text from being parsed as one query, in order. Nothing is said of names and types. */
export function syntaxErrors(text: string): readonly Problem[] {
  const { problems } = parseQuery(text);
  return problems.map(syntaxProblem).filter(({ severity }) => severity === 'error');
}

function syntaxProblem(found: SyntaxProblem): Problem {
  const name = found.values?.['name'] ?? '';
  if (found.code === 'unknown-scalar-operator') return unknownScalarOperator(found, name);
  return problem(found.code as ProblemCode, found, found.values);
}

const wordOperators: readonly string[] = scalarOperators
  .map((row) => row.name)
  .filter((name) => /^\w/.test(name));

/** A word in place of an operator: one of Kusto or SQL, or a misspelled one. */
function unknownScalarOperator(span: Span, name: string): Problem {
  const instead = kustoScalarOperators.get(name);
  if (instead !== undefined) return problem('kusto-scalar-operator', span, { name, instead });
  const nearest = closest(name, wordOperators);
  const values = { name, hint: didYouMean(nearest) };
  return problem('unknown-scalar-operator', span, values, nearest);
}

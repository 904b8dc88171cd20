/** Analyzes a query or a document. A query's analysis has offsets relative to its text, so it can be cached. */
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

/** The analysis of one query. All offsets are relative to the start of its text. */
export interface QueryAnalysis {
  readonly tree: QueryTree;
  readonly bound: BoundQuery;
  /** The reported problems in text order. */
  readonly problems: readonly Problem[];
  /** Problems suppressed by a comment or by `disabled`. Some may be errors, so check them before a run. */
  readonly silenced: readonly Problem[];
  readonly directives: readonly Directive[];
}

export interface AnalyzeOptions extends BindOptions {
  /** Codes to suppress. Unknown codes are ignored. */
  readonly disabled?: readonly string[];
}

/** An analyzed query in a document. Offsets in `bound` are relative to `text`. */
export interface AnalyzedQuery extends PlacedQuery {
  readonly text: string;
  readonly bound: BoundQuery;
}

/** The analysis of a document. Spans of problems and queries are relative to the document. */
export interface Analysis {
  readonly problems: readonly Problem[];
  readonly queries: readonly AnalyzedQuery[];
}

/** Analyzes one query. Don't modify the schema object afterwards, because lookups in it are cached. */
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

/** Merges syntax and binding problems. At equal spans, keeps the syntax problem. Adds lints if the syntax is valid. */
function mergeProblems(tree: QueryTree, bound: BoundQuery): readonly Problem[] {
  if (tree.problems.length === 0) return withLints(bound);
  const problems = tree.problems.map(syntaxProblem);
  const errors = new Set(problems.map(({ start, end }) => `${start}:${end}`));
  for (const one of bound.problems) {
    if (!errors.has(`${one.start}:${one.end}`)) problems.push(one);
  }
  return inTextOrder(problems);
}

/** Merges binding problems and lints. At equal spans, keeps the binding problem, as it is more precise than a lint. */
function withLints(bound: BoundQuery): readonly Problem[] {
  const found = lint(bound);
  if (found.length === 0) return bound.problems;
  if (bound.problems.length === 0) return packed(inTextOrder(found));
  const marked = new Set(bound.problems.map(({ start, end }) => `${start}:${end}`));
  const problems = [...bound.problems];
  for (const one of found) if (!marked.has(`${one.start}:${one.end}`)) problems.push(one);
  return inTextOrder(problems);
}

/** Returns the text's syntax errors in text order. */
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

function unknownScalarOperator(span: Span, name: string): Problem {
  // SQL's operators are often written in capitals.
  const instead = kustoScalarOperators.get(name) ?? kustoScalarOperators.get(name.toLowerCase());
  if (instead !== undefined) return problem('kusto-scalar-operator', span, { name, instead });
  const nearest = closest(name, wordOperators);
  const values = { name, hint: didYouMean(nearest) };
  return problem('unknown-scalar-operator', span, values, nearest);
}

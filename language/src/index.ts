/**
 * The public API for analyzing queries. `editing.ts` is the API for editors and formatters. Other directories import
 * only these two files, with three exceptions: tests, code that imports only `printable.ts`, and the local web page,
 * which imports only the lexer.
 */
export {
  type Analysis,
  type AnalyzedQuery,
  type AnalyzeOptions,
  analyze,
  analyzeQuery,
  type QueryAnalysis,
  syntaxErrors,
} from './analysis.ts';
export { partitionPoint } from './append.ts';
export { type BindOptions, bindQuery } from './binding/bind.ts';
export type * from './binding/bound.ts';
export { columnOfField } from './binding/datasets.ts';
export { type OuterLet, outerLet } from './binding/outerLets.ts';
export {
  addOperands,
  addSourceParts,
  addSubexpressions,
  type BoundNode,
  expressionsIn,
  itemsOf,
} from './binding/visit.ts';
export {
  type AggregateName,
  aggregateNamed,
  aggregates,
  closest,
  closestFew,
  type FunctionName,
  functionNamed,
  functions,
  type OperatorName,
  operatorNamed,
  operators,
  type ScalarFunctionName,
  type ScalarOperatorName,
  scalarOperatorNamed,
  scalarOperators,
  scalarTypeOf,
  scalarTypesOfWire,
  typeLabel,
  types,
  wireTypeLabel,
  wireTypeOf,
} from './catalog/index.ts';
export {
  type Arity,
  accepts,
  arityOf,
  parameterAt,
  returnTypeOf,
  signatureFor,
  takes,
} from './catalog/signatures.ts';
export type * from './catalog/types.ts';
export { directiveMark } from './directives.ts';
export { applyEdits, type Edit, type Fix } from './edits.ts';
export { regexGroupNames } from './lints/regexText.ts';
export { getOrCreate, oncePer } from './maps.ts';
export { isPlainName, quoteName, quoteText } from './names.ts';
export {
  type ColumnEffect,
  factsOf,
  factsOfNode,
  type OperatorFacts,
  type OrderEffect,
  type RowEffect,
} from './operators/facts.ts';
export { printable, printableJson, printableLines, printableSource } from './printable.ts';
export {
  isProblemCode,
  movedProblem,
  type Problem,
  type ProblemCode,
  type ProblemTag,
  problemCodes,
  problemRows,
  type Severity,
  tagOf,
} from './problems.ts';
export {
  type QuerySpan,
  queryAt,
  type Resplit,
  resplitQueries,
  splitQueries,
} from './queries.ts';
export type * from './schema.ts';
export { disabledInFile, problemsOfFile } from './silence.ts';
export { SourceText } from './sourceText.ts';
export { lex } from './syntax/lexer.ts';
export { endOfLine } from './syntax/lines.ts';
export { parseQuery } from './syntax/parser.ts';
export { parseDatetime, parseTimespan } from './syntax/times.ts';
export type * from './syntax/tokens.ts';
export type * as syntax from './syntax/tree.ts';
export type { QueryTree } from './syntax/tree.ts';
export { comments, hasLineBreak, type Trivia, triviaIn, unparse } from './syntax/trivia.ts';
export { type AnyNode, children, nodeAt, pathAt, walk } from './syntax/visit.ts';
export {
  type Change,
  contains,
  type LinePosition,
  type Lines,
  LineTable,
  type Span,
} from './text.ts';

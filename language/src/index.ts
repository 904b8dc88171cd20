/**
 * The language as everything else sees it: text in, values out. The only file of this folder that others
 * import; the modules behind it may change.
 */
export {
  type Analysis,
  type AnalyzedQuery,
  type AnalyzeOptions,
  analyze,
  analyzeQuery,
  type QueryAnalysis,
} from './analysis.ts';
export { type BindOptions, bindQuery } from './binding/bind.ts';
export type * from './binding/bound.ts';
export { columnOfField } from './binding/datasets.ts';
export {
  type AggregateName,
  aggregateNamed,
  aggregates,
  closest,
  closestFew,
  constantWords,
  type FunctionName,
  functionNamed,
  functionPage,
  functions,
  joinSides,
  type OperatorName,
  operatorNamed,
  operatorPage,
  operators,
  type ScalarFunctionName,
  type ScalarOperatorName,
  type ShapeRow,
  scalarOperatorNamed,
  scalarOperators,
  scalarTypeOf,
  scalarTypesOfWire,
  shapes,
  statements,
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
export {
  type CallSlot,
  type Comparison,
  type Context,
  callAt,
  contextAt,
  type OperatorSlot,
  operatorAt,
} from './context.ts';
export { directiveMark } from './directives.ts';
export { applyEdits, type Edit, type Fix } from './edits.ts';
export { fixableEverywhere } from './fixes/everywhere.ts';
export { certainFix, fixesFor } from './fixes/index.ts';
export { format } from './format/document.ts';
export { defaultFormatOptions, type FormatOptions } from './format/options.ts';
export { formatRange, formatTyped } from './format/part.ts';
export { formatQuery } from './format/query.ts';
export { isPlainName, quoteName, quoteText } from './names.ts';
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
export { type Refactoring, refactoringsAt } from './refactor/index.ts';
export type * from './schema.ts';
export { disabledInFile, problemsOfFile } from './silence.ts';
export { SourceText } from './sourceText.ts';
export { commentFolds, type Fold, foldsOf } from './symbols/folding.ts';
export { operatorWordsAt } from './symbols/keywords.ts';
export { type Link, linksInComments, linksOf } from './symbols/links.ts';
export {
  datasetAt,
  datasetUses,
  definitionsAt,
  type Occurrence,
  occurrencesAt,
} from './symbols/occurrences.ts';
export { type OutlineItem, outlineOf } from './symbols/outline.ts';
export { prepareRename, renameEdits } from './symbols/rename.ts';
export type { Refusal } from './symbols/renameTarget.ts';
export { selectionSpans } from './symbols/selection.ts';
export { endOfLine, lex } from './syntax/lexer.ts';
export { parseQuery } from './syntax/parser.ts';
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
export { type CutQuery, queryUpTo } from './upTo.ts';

/**
 * The language API for editors and formatters: completion contexts, edits, names, outlines and documentation of catalog
 * entries. `index.ts` exports query analysis.
 */
export { type AddedFilter, addFilters, quotePath, type ValueCondition } from './addFilter.ts';
export { kustoAdvice, kustoRenames } from './catalog/kusto.ts';
export {
  type CallSlot,
  type Comparison,
  type Context,
  callAt,
  contextAt,
  type OperatorSlot,
  operatorAt,
} from './context.ts';
export { insert, shifted } from './edits.ts';
export { fixableEverywhere } from './fixes/everywhere.ts';
export { certainFix, fixesFor } from './fixes/index.ts';
export { format } from './format/document.ts';
export { defaultFormatOptions, type FormatOptions } from './format/options.ts';
export { formatRange, formatTyped } from './format/part.ts';
export { formatQuery } from './format/query.ts';
export { type OperatorProse, type Prose, proseOf } from './prose/index.ts';
export { functionPage, operatorPage } from './prose/pages.ts';
export { type ShapeRow, shapes } from './prose/shapes.ts';
export { constantWords, joinSides, statements } from './prose/words.ts';
export { type Refactoring, refactoringsAt } from './refactor/index.ts';
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
export { type OutlineItem, oneLine, outlineOf } from './symbols/outline.ts';
export { prepareRename, renameEdits } from './symbols/rename.ts';
export type { Refusal } from './symbols/renameTarget.ts';
export { selectionSpans } from './symbols/selection.ts';
export { type CutQuery, queriesUpToEach, queryUpTo } from './upTo.ts';

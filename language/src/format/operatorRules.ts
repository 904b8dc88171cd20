/** Layout rules for tabular operators. */

import { operatorEditing } from '../operators/index.ts';
import type { JoinOperator, LookupOperator, ParsePart } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import {
  bracketList,
  breaksAt,
  firsts,
  isRoundBracketed,
  itemList,
  type Rules,
  tightOption,
} from './rules.ts';
import type { Sheet } from './sheet.ts';

interface ItemOperator {
  readonly start: number;
  readonly items: readonly Span[];
}

export const operatorRules: Rules = {
  ExtendOperator: items,
  ProjectOperator: items,
  ProjectRenameOperator: items,
  ProjectByPatternOperator: items,
  DistinctOperator: items,
  SortOperator(sheet, node) {
    itemList(sheet, sheet.at(node.start), node.keys);
  },
  TopOperator(sheet, node) {
    itemList(sheet, sheet.at(node.start), node.keys);
  },
  SummarizeOperator(sheet, node) {
    const first = sheet.at(node.start);
    if (node.by === undefined) return itemList(sheet, first, node.aggregates);
    const by = sheet.at(node.by.start);
    if (node.aggregates.length > 0) clauses(sheet, first, sheet.at(node.end), [by]);
    itemList(sheet, first, node.aggregates);
    itemList(sheet, by, node.groups);
  },
  MakeSeriesOperator(sheet, node) {
    const first = sheet.at(node.start);
    tightOption(sheet, node.seriesKind);
    const words = [node.on, node.groups[0]].map((clause) =>
      clause === undefined ? 0 : sheet.at(clause.start) - 1,
    );
    clauses(
      sheet,
      first,
      sheet.at(node.end),
      words.filter((word) => word > first),
    );
    itemList(sheet, first, node.aggregates);
    itemList(sheet, words[1] as number, node.groups);
  },
  SeriesAggregate(sheet, node) {
    tightOption(sheet, node.defaultValue);
  },
  JoinOperator: join,
  LookupOperator: join,
  UnionOperator(sheet, node) {
    tightOption(sheet, node.withSource);
    itemList(sheet, sheet.at(node.start), node.tables);
  },
  SearchOperator(sheet, node) {
    tightOption(sheet, node.searchKind);
    const last = node.tables.at(-1);
    if (last === undefined) return;
    const open = sheet.at((node.tables[0] as Span).start) - 1;
    bracketList(sheet, open, sheet.at(last.end), node.tables);
  },
  ...operatorEditing['mv-expand'].layout,
  ParseOperator(sheet, node) {
    tightOption(sheet, node.parseKind);
    tightOption(sheet, node.flags);
    const texts = firsts(sheet, node.pattern.filter(isText));
    const [first] = texts;
    if (first === undefined || texts.length < 2) return;
    const group = sheet.at(node.start);
    sheet.group(group, sheet.at(node.end), breaksAt(texts, 1), { sticky: texts });
  },
  ParseKvOperator(sheet, node) {
    const last = node.keys.at(-1);
    if (last === undefined) return;
    const first = sheet.at(node.start);
    let close = sheet.at(last.end);
    if (sheet.reads(close, ',')) close++;
    if (node.properties.length > 0) clauses(sheet, first, sheet.at(node.end), [close + 1]);
    bracketList(sheet, sheet.at((node.keys[0] as Span).start) - 1, close, node.keys);
  },
  RedactOperator(sheet, node) {
    const first = sheet.at(node.start);
    const [on] = node.on;
    const word = on === undefined ? 0 : sheet.at(on.start) - 1;
    if (on !== undefined) clauses(sheet, first, sheet.at(node.end), [word]);
    itemList(sheet, first, node.patterns);
    itemList(sheet, word, node.on);
  },
};

function items(sheet: Sheet, node: ItemOperator): void {
  itemList(sheet, sheet.at(node.start), node.items);
}

/** Groups the clauses of an operator. Each starts a line if they don't fit on one line. */
function clauses(sheet: Sheet, first: number, end: number, words: readonly number[]): void {
  sheet.group(first, end, breaksAt(words, 1), { sticky: words });
}

/** Lays out a join. `on` follows the closing bracket of a bracketed table on the same line, or else starts a line. */
function join(sheet: Sheet, node: JoinOperator | LookupOperator): void {
  tightOption(sheet, node.joinKind);
  const [condition] = node.conditions;
  if (condition === undefined) return;
  const first = sheet.at(node.start);
  const on = sheet.at(condition.start) - 1;
  const { right } = node;
  const bracketed = isRoundBracketed(sheet, sheet.at(right.start), sheet.at(right.end) - 1);
  if (!bracketed) clauses(sheet, first, sheet.at(node.end), [on]);
  itemList(sheet, on, node.conditions);
}

function isText(part: ParsePart): boolean {
  return part.kind === 'Literal';
}

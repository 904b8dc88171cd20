/** Layout rules for statements, pipelines and their sources. */
import type { Pipeline } from '../syntax/tree.ts';
import type { AnyNode } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import {
  bracketList,
  breaksAt,
  firsts,
  isBracketed,
  isRoundBracketed,
  itemLines,
  type Rules,
  tightBracket,
  tightOption,
} from './rules.ts';
import { type Sheet, spacing } from './sheet.ts';

export const sourceRules: Rules = {
  DeclareStatement(sheet, node) {
    const { parameters } = node;
    const [first] = parameters;
    const last = parameters.at(-1);
    if (first === undefined || last === undefined) return;
    const open = sheet.at(first.start) - 1;
    tightBracket(sheet, open - 1);
    bracketList(sheet, open, sheet.at(last.end), parameters);
  },
  Pipeline: pipeline,
  Stage(sheet, node) {
    const pipe = sheet.at(node.start);
    sheet.mark(pipe, spacing.blank);
    sheet.mark(pipe + 1, spacing.blank);
  },
  TableCall(sheet, node) {
    tightBracket(sheet, sheet.at(node.start));
  },
  PrintSource: itemLines,
  DatatableSource(sheet, node) {
    const open = declaredColumns(sheet, sheet.at(node.start), node.columns);
    const close = sheet.at(node.end) - 1;
    if (open < 0 || node.values.length === 0 || !isBracketed(sheet, open, close)) return;
    const width = Math.max(1, node.columns.length);
    const rows = firsts(sheet, node.values).filter((_, i) => i % width === 0);
    const breaks = [...breaksAt([open, close], 0), ...breaksAt(rows, 1)];
    const sticky = breaks.map(({ gap }) => gap);
    sheet.group(sheet.at(node.start), close + 1, breaks, { sticky });
  },
  ExternaldataSource(sheet, node) {
    const first = sheet.at(node.start);
    const open = declaredColumns(sheet, first, node.columns);
    const last = node.urls.at(-1);
    if (open < 0 || last === undefined) return;
    const close = sheet.at(last.end);
    const gaps = node.properties.length > 0 ? [open, close + 1] : [open];
    sheet.group(first, sheet.at(node.end), breaksAt(gaps, 1), { sticky: gaps });
    bracketList(sheet, open, close, node.urls);
  },
  Property(sheet, node) {
    tightOption(sheet, node.value);
  },
};

/** Lays out `word(name: type, …)` from the token `first`. Returns the token after the list, or -1 for an empty list. */
function declaredColumns(sheet: Sheet, first: number, columns: readonly Span[]): number {
  tightBracket(sheet, first);
  const last = columns.at(-1);
  if (last === undefined) return -1;
  let close = sheet.at(last.end);
  if (sheet.reads(close, ',')) close++;
  bracketList(sheet, first + 1, close, columns);
  return close + 1;
}

/**
 * Starts a new line for each stage. A single stage stays on the source's line if the author wrote it there and it fits.
 */
function pipeline(sheet: Sheet, node: Pipeline, parent: AnyNode | undefined): void {
  const pipes = firsts(sheet, node.stages);
  const first = sheet.at(node.start);
  const end = sheet.at(node.end);
  const bracketed = isRoundBracketed(sheet, first - 1, end);
  // A bracketed table without stages stays on the line of its brackets if no comment ends that line.
  if (pipes.length === 0 && !(bracketed && sheet.mustBreak(first, end + 1))) return;
  const broken = pipes.length > 1;
  const sticky = [...pipes, ...pipes.map((pipe) => pipe + 1)];
  if (bracketed) {
    const breaks = [...breaksAt([first, ...pipes], 1), { gap: end, indent: 0 }];
    sheet.group(first - 1, end + 1, breaks, { broken, sticky: [first, ...sticky, end] });
  } else {
    const indent = parent?.kind === 'LetStatement' ? 1 : 0;
    sheet.group(first, end, breaksAt(pipes, indent), { broken, sticky });
  }
}

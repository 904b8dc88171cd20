/** The operators `parse` and `parse-where`, which extract columns from a string with a pattern. */
import type { Binder } from '../binding/binder.ts';
import type { BoundExpression, Column, TypedName } from '../binding/bound.ts';
import type { Row } from '../binding/columns.ts';
import { bindExpression } from '../binding/expressions.ts';
import { checkWord, wordsOf } from '../binding/options.ts';
import { declaredColumns } from '../binding/sources.ts';
import type { OperatorOption } from '../catalog/types.ts';
import { words } from '../catalog/words.ts';
import type { OperatorSlots } from '../context/slots.ts';
import { defined } from '../defined.ts';
import { breaksAt, firsts, tightOption } from '../format/rules.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import { atMissingPipe, needClause } from '../syntax/grammar/keywords.ts';
import { atName, columnDeclaration } from '../syntax/grammar/names.ts';
import { stringLiteral } from '../syntax/grammar/operands.ts';
import { optWordOption } from '../syntax/grammar/properties.ts';
import type { ColumnDeclaration, Expression, Literal, Name, Star } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type {
  BoundOperatorNode,
  OperatorCore,
  OperatorEditing,
  OperatorNode,
  Own,
} from './operator.ts';

export interface ParseOperator extends OperatorNode {
  readonly kind: 'ParseOperator';
  readonly where: boolean;
  readonly parseKind?: Name;
  readonly flags?: Name;
  readonly expression: Expression;
  readonly pattern: readonly ParsePart[];
}

export type ParsePart = Literal | Star | ColumnDeclaration;

export interface BoundParse extends BoundOperatorNode {
  readonly kind: 'parse';
  /** Whether the operator is `parse-where`, which drops rows that don't match. */
  readonly where: boolean;
  readonly mode: 'simple' | 'regex' | 'relaxed';
  /** Flags of the regular expression, such as `Ui`. */
  readonly flags?: string;
  readonly subject: BoundExpression;
  readonly pattern: readonly BoundParsePart[];
  /** The columns of named capture groups, which precede the columns declared in the pattern. */
  readonly groups: readonly string[];
}

export type BoundParsePart = Span &
  (
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'star' }
    | ({ readonly kind: 'column' } & TypedName)
  );

const parseKinds = words({
  simple: 'Match the strings of the pattern literally. The default.',
  regex: 'Match the strings of the pattern as regular expressions.',
  relaxed: 'Set a value that does not match its type to null and keep the others.',
});

const kindOption: OperatorOption = {
  name: 'kind',
  summary: 'How to match the strings of the pattern.',
  type: 'word',
  values: parseKinds,
  defaultValue: 'simple',
};

export const core: OperatorCore<ParseOperator, BoundParse> = {
  row: { options: [kindOption] },
  facts: {
    rows: 'all',
    order: 'kept',
    columns: 'added',
    namesWhatItReads: true,
    fixedOperands: true,
  },
  children: ['parseKind', 'flags', 'expression', 'pattern'],
  operands: ['subject'],
  parse: (c, keyword) => parseOperator(c, keyword, false),
  bind: bindParse,
};

export const whereCore: OperatorCore<ParseOperator, BoundParse> = {
  ...core,
  row: {
    options: [
      { ...kindOption, values: parseKinds.filter((kind) => kind.name !== 'relaxed') },
      { name: 'flags', summary: 'Flags of the regular expression, such as i.', type: 'name' },
    ],
  },
  facts: { ...core.facts, rows: 'filtered' },
  parse: (c, keyword) => parseOperator(c, keyword, true),
};

function parseOperator(c: Cursor, keyword: Span, where: boolean): Own<ParseOperator> {
  const parseKind = optWordOption(c, 'kind');
  const flags = optWordOption(c, 'flags');
  const subject = expression(c);
  const pattern = needClause(c, 'with', keyword) ? parsePattern(c) : [];
  const options = defined({ parseKind, flags });
  return { kind: 'ParseOperator', where, ...options, expression: subject, pattern };
}

/** Parses consecutive strings, stars and columns, optionally separated by commas. */
function parsePattern(c: Cursor): readonly ParsePart[] {
  const parts: ParsePart[] = [];
  while (!c.atEnd && !(parts.length > 0 && c.startsLine() && atMissingPipe(c))) {
    const part = optParsePart(c);
    if (part === undefined) break;
    parts.push(part);
    c.eat(',');
  }
  if (parts.length === 0) c.expected('expected-pattern');
  return parts;
}

function optParsePart(c: Cursor): ParsePart | undefined {
  if (c.kind === 'string') return stringLiteral(c);
  if (atName(c)) return columnDeclaration(c);
  if (!c.at('*')) return undefined;
  const star = c.advance();
  return { kind: 'Star', start: star.start, end: star.end };
}

const modes = ['simple', 'regex', 'relaxed'] as const;

function bindParse(node: ParseOperator, row: Row, binder: Binder): Own<BoundParse> {
  const { where, parseKind, flags } = node;
  const subject = bindExpression(node.expression, { binder, row, aggregates: 'refused' });
  if (parseKind !== undefined) {
    const words = wordsOf(where ? 'parse-where' : 'parse', 'kind');
    checkWord('kind', words, parseKind.name, parseKind, binder);
  }
  const declarations = node.pattern.filter((part) => part.kind === 'ColumnDeclaration');
  const columns = declaredColumns(declarations, binder);
  const groups = parseKind?.name === 'regex' ? groupColumns(node.pattern, columns) : [];
  row.extend([...groups, ...columns]);
  return {
    kind: 'parse',
    where,
    mode: modes.find((mode) => mode === parseKind?.name) ?? 'simple',
    ...defined({ flags: flags?.name }),
    subject,
    pattern: patternOf(node.pattern, columns),
    groups: groups.map(({ name }) => name),
  };
}

/** Returns the columns for named capture groups such as `(?P<user>…)`. */
function groupColumns(parts: readonly ParsePart[], declared: readonly Column[]): Column[] {
  const names = new Set<string>();
  for (const part of parts) {
    if (part.kind !== 'Literal' || typeof part.value !== 'string') continue;
    for (const [, name] of part.value.matchAll(namedGroup)) names.add(name as string);
  }
  for (const { name } of declared) names.delete(name);
  return [...names].map((name): Column => ({ name, type: 'string' }));
}

const namedGroup = /\(\?P?<([A-Za-z_]\w*)>/g;

/** Adds the columns' types to the pattern. Duplicate columns have already been reported. */
function patternOf(parts: readonly ParsePart[], columns: readonly Column[]): BoundParsePart[] {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return parts.map((part): BoundParsePart => {
    const { start, end } = part;
    if (part.kind === 'Star') return { kind: 'star', start, end };
    if (part.kind === 'Literal') {
      return { kind: 'text', text: String(part.value ?? ''), start, end };
    }
    const { name } = part.name;
    return { kind: 'column', name, type: types.get(name) ?? 'string', start, end };
  });
}

const slots: OperatorSlots = { first: 'expression', clauses: { with: 'names' }, opensHelp: true };

const clauseProse = {
  with: 'The pattern: strings to match, and names of the columns for the text between them.',
};

export const editing: OperatorEditing = {
  slots,
  layout: {
    ParseOperator(sheet, node) {
      tightOption(sheet, node.parseKind);
      tightOption(sheet, node.flags);
      const texts = firsts(sheet, node.pattern.filter(isText));
      const [first] = texts;
      if (first === undefined || texts.length < 2) return;
      const group = sheet.at(node.start);
      sheet.group(group, sheet.at(node.end), breaksAt(texts, 1), { sticky: texts });
    },
  },
  prose: {
    syntax: 'parse kind=kind expression with * "text" name: type …',
    summary:
      'Extracts columns from a string with a pattern. Sets them to null in rows that do not match.',
    example: 'logs | parse uri with "/users/" user_id: long "/" action',
    snippet: 'parse ${1:field} with ${2:*} "${3:text}" ${4:name}',
    clauses: clauseProse,
  },
};

export const whereEditing: OperatorEditing = {
  slots,
  prose: {
    syntax: 'parse-where kind=kind expression with * "text" name: type …',
    summary: 'Extracts columns from a string with a pattern and removes rows that do not match.',
    example: 'logs | parse-where uri with "/users/" user_id: long',
    snippet: 'parse-where ${1:field} with ${2:*} "${3:text}" ${4:name}',
    clauses: clauseProse,
  },
};

function isText(part: ParsePart): boolean {
  return part.kind === 'Literal';
}

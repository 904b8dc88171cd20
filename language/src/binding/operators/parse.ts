/**
 * Binds operators that extract columns from a string (`parse`, `parse-where`, `parse-kv`), and `redact`, which hides
 * parts of strings.
 */
import type * as syntax from '../../syntax/tree.ts';
import { type Binder, report, type Scope } from '../binder.ts';
import type {
  BoundExpression,
  BoundOperator,
  BoundParsePart,
  Column,
  TypedName,
} from '../bound.ts';
import type { Row } from '../columns.ts';
import { bindExpression } from '../expressions.ts';
import { checkWord, readOptions, textOption, wordsOf } from '../options.ts';
import { declaredColumns } from '../sources.ts';
import { describeType } from '../types.ts';

const modes = ['simple', 'regex', 'relaxed'] as const;

export function bindParse(node: syntax.ParseOperator, row: Row, binder: Binder): BoundOperator {
  const { where, parseKind, flags, keyword, start, end } = node;
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
    ...(flags === undefined ? {} : { flags: flags.name }),
    subject,
    pattern: patternOf(node.pattern, columns),
    groups: groups.map(({ name }) => name),
    keyword,
    start,
    end,
  };
}

/** Returns the columns for the named groups in a regular expression's strings, such as `(?P<user>…)`. */
function groupColumns(parts: readonly syntax.ParsePart[], declared: readonly Column[]): Column[] {
  const names = new Set<string>();
  for (const part of parts) {
    if (part.kind !== 'Literal' || typeof part.value !== 'string') continue;
    for (const [, name] of part.value.matchAll(namedGroup)) names.add(name as string);
  }
  for (const { name } of declared) names.delete(name);
  return [...names].map((name): Column => ({ name, type: 'string' }));
}

const namedGroup = /\(\?P?<([A-Za-z_]\w*)>/g;

/** Returns the parts with their column types. Duplicate columns have already been reported. */
function patternOf(
  parts: readonly syntax.ParsePart[],
  columns: readonly Column[],
): BoundParsePart[] {
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

export function bindParseKv(node: syntax.ParseKvOperator, row: Row, binder: Binder): BoundOperator {
  const subject = bindExpression(node.expression, { binder, row, aggregates: 'refused' });
  const columns = declaredColumns(node.keys, binder);
  row.extend(columns);
  const options = readOptions('parse-kv', node.properties, binder);
  const text = <Name extends string>(name: Name, option: string) => {
    const value = textOption(options, option);
    return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: string };
  };
  const { keyword, start, end } = node;
  return {
    kind: 'parse-kv',
    subject,
    keys: columns.map(({ name, type }): TypedName => ({ name, type })),
    ...text('pairDelimiter', 'pair_delimiter'),
    ...text('kvDelimiter', 'kv_delimiter'),
    ...text('quote', 'quote'),
    ...text('escape', 'escape'),
    ...text('regex', 'regex'),
    greedy: options.get('greedy') === true,
    keyword,
    start,
    end,
  };
}

/**
 * Binds a constant regular expression or an array of them. A column is rejected, because the pattern can't vary by row.
 */
function bindPattern(node: syntax.Expression, scope: Scope): BoundExpression {
  const bound = bindExpression(node, scope);
  if (bound.kind === 'error' || bound.type === 'string' || bound.type === 'dynamic') {
    if (bound.kind !== 'column') return bound;
  } else if (bound.type === 'unknown' && bound.kind !== 'column') return bound;
  const actual = bound.kind === 'column' ? `the column ${bound.name}` : describeType(bound.type);
  report(scope.binder, 'redact-pattern', node, { actual });
  return bound;
}

export function bindRedact(node: syntax.RedactOperator, row: Row, binder: Binder): BoundOperator {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  const options = readOptions('redact', node.properties, binder);
  const { keyword, start, end } = node;
  return {
    kind: 'redact',
    token: textOption(options, 'replaceToken') ?? '*',
    hash: options.get('replaceHash') === true,
    groups: options.get('redactGroups') === true,
    patterns: node.patterns.map((pattern) => bindPattern(pattern, scope)),
    on: node.on.map((field) => bindExpression(field, scope)),
    keyword,
    start,
    end,
  };
}

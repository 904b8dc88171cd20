/**
 * Prints a tree as compact text: one S-expression per statement, each stage on its own line. Operators show their
 * clauses by keyword, names show their quotes, and a missing part is `_`.
 */
import type {
  Assignment,
  ColumnDeclaration,
  DynamicValue,
  Expression,
  Literal,
  Missing,
  Name,
  Operator,
  Pipeline,
  Property,
  QueryTree,
  SortKey,
  Source,
  Statement,
} from '../../../language/src/syntax/tree.ts';
import { children } from '../../../language/src/syntax/visit.ts';

export function dump(tree: QueryTree): string {
  return tree.statements.map((statement) => dumpStatement(statement, tree.text)).join('\n');
}

function group(...parts: readonly (string | undefined)[]): string {
  return `(${parts.filter((part) => part !== undefined && part !== '').join(' ')})`;
}

function dumpStatement(statement: Statement, text: string): string {
  switch (statement.kind) {
    case 'LetStatement': {
      const { value } = statement;
      const shown = value.kind === 'Pipeline' ? pipeline(value, text) : expression(value, text);
      return group('let', name(statement.name), shown);
    }
    case 'SetStatement':
      return group('set', name(statement.name), optional(statement.value, text));
    case 'DeclareStatement':
      return group(
        'declare',
        ...statement.parameters.map((parameter) =>
          group(
            name(parameter.name) + (parameter.type ? `:${parameter.type.name}` : ''),
            optional(parameter.defaultValue, text),
          ),
        ),
      );
    case 'QueryStatement':
      return pipeline(statement.pipeline, text);
  }
}

function pipeline(node: Pipeline | Missing, text: string): string {
  if (node.kind === 'Missing') return '_';
  return [
    source(node.source, text),
    ...node.stages.map((stage) => `| ${operator(stage.operator, text)}`),
  ].join('\n');
}

/** Prints a nested pipeline on one line. */
function inline(node: Pipeline | Missing, text: string): string {
  return `{${pipeline(node, text).replaceAll('\n', ' ')}}`;
}

function source(node: Source, text: string): string {
  switch (node.kind) {
    case 'DatasetSource':
      return name(node.name);
    case 'ParenthesizedSource':
      return inline(node.pipeline, text);
    case 'TableCall':
      return group('table', expression(node.argument, text));
    case 'ExpressionSource':
      return expression(node.expression, text);
    case 'PrintSource':
      return group('print', ...assignments(node.items, text));
    case 'DatatableSource':
      return group('datatable', group(...node.columns.map(column)), list(node.values, text));
    case 'ExternaldataSource':
      return group(
        'externaldata',
        group(...node.columns.map(column)),
        list(node.urls, text),
        ...properties(node.properties, text),
      );
    case 'Missing':
      return '_';
    default:
      return operator(node, text);
  }
}

function operator(node: Operator, text: string): string {
  const keyword = text.slice(node.keyword.start, node.keyword.end);
  switch (node.kind) {
    case 'WhereOperator':
      return group(keyword, expression(node.predicate, text));
    case 'ExtendOperator':
    case 'ProjectOperator':
    case 'ProjectRenameOperator':
    case 'DistinctOperator':
      return group(keyword, ...assignments(node.items, text));
    case 'ProjectByPatternOperator':
      return group(
        keyword,
        ...node.items.map((item) => {
          const shown = item.wildcard ? `~${item.name}` : item.name;
          return item.direction === undefined ? shown : group(shown, item.direction);
        }),
      );
    case 'SummarizeOperator':
      return group(
        keyword,
        ...assignments(node.aggregates, text),
        node.by && group('by', ...assignments(node.groups, text)),
      );
    case 'MakeSeriesOperator':
      return group(
        keyword,
        node.seriesKind && `kind=${name(node.seriesKind)}`,
        ...node.aggregates.map((aggregate) =>
          aggregate.defaultValue === undefined
            ? assignment(aggregate.assignment, text)
            : group(
                assignment(aggregate.assignment, text),
                'default',
                expression(aggregate.defaultValue, text),
              ),
        ),
        ...(['on', 'from', 'to', 'step'] as const).map((clause) => {
          const value = node[clause];
          return value && group(clause, expression(value, text));
        }),
        node.groups.length > 0 ? group('by', ...assignments(node.groups, text)) : undefined,
      );
    case 'SortOperator':
      return group(keyword, ...sortKeys(node.keys, text));
    case 'TopOperator':
      return group(keyword, expression(node.count, text), ...sortKeys(node.keys, text));
    case 'LimitOperator':
      return group(keyword, expression(node.count, text));
    case 'SampleOperator':
      return group(keyword, expression(node.ratio, text));
    case 'CountOperator':
    case 'GetSchemaOperator':
      return group(keyword);
    case 'JoinOperator':
    case 'LookupOperator':
      return group(
        keyword,
        node.joinKind && `kind=${name(node.joinKind)}`,
        inline(node.right, text),
        ...node.conditions.map((condition) => expression(condition, text)),
      );
    case 'UnionOperator':
      return group(
        keyword,
        node.withSource && `withsource=${name(node.withSource)}`,
        ...properties(node.parameters, text),
        ...node.tables.map((table) =>
          table.kind === 'Pipeline'
            ? inline(table, text)
            : (table.wildcard ? '~' : '') + table.name,
        ),
      );
    case 'SearchOperator':
      return group(
        keyword,
        node.searchKind && `kind=${name(node.searchKind)}`,
        node.tables.length > 0
          ? group('in', ...node.tables.map((table) => (table.wildcard ? '~' : '') + table.name))
          : undefined,
        expression(node.predicate, text),
      );
    case 'MvExpandOperator':
      return group(
        keyword,
        node.expandKind && `kind=${name(node.expandKind)}`,
        node.itemIndex && `with_itemindex=${name(node.itemIndex)}`,
        ...node.items.map((item) => {
          const shown = assignment(item.assignment, text);
          return item.toType === undefined ? shown : group(shown, 'to', item.toType.name);
        }),
        node.limit && group('limit', expression(node.limit, text)),
      );
    case 'ParseOperator':
      return group(
        keyword,
        node.parseKind && `kind=${name(node.parseKind)}`,
        node.flags && `flags=${name(node.flags)}`,
        expression(node.expression, text),
        ...node.pattern.map((part) =>
          part.kind === 'ColumnDeclaration' ? column(part) : expression(part, text),
        ),
      );
    case 'ParseKvOperator':
      return group(
        keyword,
        expression(node.expression, text),
        group(...node.keys.map(column)),
        ...properties(node.properties, text),
      );
    case 'RedactOperator':
      return group(
        keyword,
        ...properties(node.properties, text),
        ...node.patterns.map((pattern) => expression(pattern, text)),
        node.on.length > 0
          ? group('on', ...node.on.map((one) => expression(one, text)))
          : undefined,
      );
    case 'UnknownOperator':
      return group('unknown', node.name === '' ? '_' : node.name);
    default:
      return otherOperator(node, text);
  }
}

/** Prints an operator without a format of its own: its children as written. */
function otherOperator(node: Operator, text: string): string {
  const parts = children(node).map(({ start, end }) => text.slice(start, end));
  return group(text.slice(node.keyword.start, node.keyword.end), ...parts);
}

function expression(node: Expression, text: string): string {
  const all = (nodes: readonly Expression[]) => nodes.map((one) => expression(one, text));
  switch (node.kind) {
    case 'Literal':
      return literal(node);
    case 'DynamicLiteral':
      return group('dynamic', dynamic(node.value, text));
    case 'TypeLiteral':
      return group('typeof', node.type.name);
    case 'NameReference':
      return node.quoted ? `['${node.name}']` : node.name;
    case 'Star':
      return '*';
    case 'Unary':
      return group(node.operator, expression(node.operand, text));
    case 'Binary':
      return group(node.operator, ...all([node.left, node.right]));
    case 'InExpression':
      return group(node.operator, expression(node.left, text), list(node.items, text));
    case 'Between':
      return group(node.operator, ...all([node.left, node.low, node.high]));
    case 'Call':
      return `${name(node.name)}(${all(node.arguments).join(', ')}${node.closed ? ')' : ''}`;
    case 'NamedArgument':
      return `${name(node.name)}=${expression(node.value, text)}`;
    case 'Member':
      return group('.', expression(node.target, text), name(node.name));
    case 'Index':
      return group('[]', ...all([node.target, node.index]));
    case 'Slice':
      return group(
        '[:]',
        expression(node.target, text),
        node.from ? expression(node.from, text) : '_',
        node.to ? expression(node.to, text) : '_',
      );
    case 'Parenthesized':
      return group('()', expression(node.expression, text));
    case 'Subquery':
      return inline(node.pipeline, text);
    case 'Missing':
      return '_';
  }
}

function literal(node: Literal): string {
  const { type, value } = node;
  if (value === null) return node.nullOf === undefined ? 'null' : `null:${node.nullOf}`;
  if (value === undefined) return `${type}:?`;
  if (type === 'string') return JSON.stringify(value);
  if (type === 'timespan' || type === 'datetime') return `${type}:${value}`;
  return type === 'real' && Number.isInteger(value) ? `${value}.0` : String(value);
}

function dynamic(value: DynamicValue, text: string): string {
  if (value.kind === 'scalar') return expression(value.expression, text);
  if (value.kind === 'array') {
    return `[${value.items.map((item) => dynamic(item, text)).join(', ')}]`;
  }
  const entries = value.entries.map((entry) => `${entry.key}: ${dynamic(entry.value, text)}`);
  return `{${entries.join(', ')}}`;
}

function name(node: Name | Missing): string {
  if (node.kind === 'Missing') return '_';
  return node.quoted ? `['${node.name}']` : node.name;
}

function column(node: ColumnDeclaration): string {
  return name(node.name) + (node.type === undefined ? '' : `:${node.type.name}`);
}

function optional(node: Expression | undefined, text: string): string | undefined {
  return node === undefined ? undefined : expression(node, text);
}

function list(nodes: readonly Expression[], text: string): string {
  return `[${nodes.map((node) => expression(node, text)).join(', ')}]`;
}

function assignment(node: Assignment, text: string): string {
  const value = expression(node.expression, text);
  if (node.names !== undefined) return group('=', group(...node.names.map(name)), value);
  return node.name === undefined ? value : group('=', name(node.name), value);
}

function assignments(nodes: readonly Assignment[], text: string): string[] {
  return nodes.map((node) => assignment(node, text));
}

function sortKeys(keys: readonly SortKey[], text: string): string[] {
  return keys.map((key) => {
    const shown = expression(key.expression, text);
    if (key.direction === undefined && key.nulls === undefined) return shown;
    return group(shown, key.direction, key.nulls && `nulls-${key.nulls}`);
  });
}

function properties(nodes: readonly Property[], text: string): string[] {
  return nodes.map((node) => `${name(node.name)}=${expression(node.value, text)}`);
}

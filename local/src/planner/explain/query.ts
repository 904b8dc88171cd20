/**
 * Formats the bound query with one line per stage, including the names, types, sort directions and join kinds that
 * binding inferred.
 */
import {
  type BoundExpression,
  type BoundOperator,
  type BoundPipeline,
  type BoundQuery,
  type BoundSortKey,
  type BoundSource,
  type Column,
  type Columns,
  type NamedExpression,
  quoteName,
  type Span,
  typeLabel,
} from '../../../../language/src/index.ts';
import { bullet } from './relation.ts';
import { aplText, listText } from './text.ts';

export function queryLines(bound: BoundQuery): string[] {
  const write = new Writer(bound.tree.text);
  return [
    ...bound.options.map((option) => `set ${option}`),
    ...bound.parameters.map(({ name, type, defaultValue }) => {
      const value = defaultValue === undefined ? '' : ` = ${write.text(defaultValue)}`;
      return `parameter ${quoteName(name)}: ${typeLabel(type)}${value}`;
    }),
    ...bound.lets.flatMap(({ name, value }) =>
      value.kind === 'pipeline'
        ? [`let ${quoteName(name)} =`, ...bullet(write.pipeline(value))]
        : [`let ${quoteName(name)}: ${typeLabel(value.type)} = ${write.text(value)}`],
    ),
    ...bound.pipelines.flatMap((pipeline) => write.pipeline(pipeline)),
  ];
}

/** Formats one query. Spans are offsets in its text. */
class Writer {
  readonly #query: string;

  constructor(query: string) {
    this.#query = query;
  }

  text({ start, end }: Span): string {
    return aplText(this.#query.slice(start, end));
  }

  pipeline({ source, stages }: BoundPipeline): string[] {
    let before = columns(source.columns);
    // Write the lines of a parenthesized table before the enclosing pipeline's lines.
    const inner = source.kind === 'subquery' ? this.pipeline(source.pipeline) : undefined;
    const lines = inner ?? [...this.#source(source), before];
    for (const { operator, output } of stages) {
      const [first, ...rest] = this.#operator(operator);
      lines.push(`| ${first}`, ...rest);
      const after = columns(output);
      if (after !== before) lines.push(after);
      before = after;
    }
    return lines;
  }

  #source(source: BoundSource): string[] {
    switch (source.kind) {
      case 'dataset':
        return [quoteName(source.name)];
      case 'let':
        return [`${quoteName(source.name)} (a let)`];
      case 'print':
        return [`print ${this.#items(source.items)}`];
      case 'datatable': {
        const { length } = source.rows;
        return [`datatable of ${length} ${length === 1 ? 'row' : 'rows'}`];
      }
      case 'externaldata': {
        const format = source.format === undefined ? '' : ` as ${source.format}`;
        return [`externaldata from ${this.#list(source.urls)}${format}`];
      }
      case 'union':
      case 'search':
        return this.#several(source);
      default:
        return [this.text(source)];
    }
  }

  #operator(operator: BoundOperator): string[] {
    switch (operator.kind) {
      case 'extend':
      case 'project':
      case 'distinct':
        return [`${operator.kind} ${this.#items(operator.items)}`];
      case 'select': {
        const kept = operator.columns.map(({ name, from }) =>
          name === from ? quoteName(name) : `${quoteName(name)} = ${quoteName(from)}`,
        );
        return [`${operator.name}, which leaves ${listText(kept)}`];
      }
      case 'summarize': {
        const { aggregates, groups, timeGroup } = operator;
        const by = groups.length === 0 ? '' : ` by ${this.#items(groups)}`;
        const bin = timeGroup === undefined ? undefined : groups[timeGroup];
        const series = bin === undefined ? '' : ` (a time series over ${quoteName(bin.name)})`;
        return [`summarize ${this.#items(aggregates)}${by}${series}`];
      }
      case 'sort':
        return [`sort by ${this.#keys(operator.keys)}`];
      case 'top':
        return [`top ${this.text(operator.count)} by ${this.#keys(operator.keys)}`];
      case 'join': {
        const { lookup, joinKind, conditions, right } = operator;
        const on = conditions.map((condition) => {
          const [left, other] = [this.#side(condition.left), this.#side(condition.right)];
          return `$left.${left} == $right.${other}`;
        });
        const word = lookup ? 'lookup' : 'join';
        const ties = on.length === 0 ? '' : ` on ${listText(on)}`;
        return [`${word} kind=${joinKind}${ties}`, ...bullet(this.pipeline(right))];
      }
      case 'union':
      case 'search':
        return this.#several(operator);
      default:
        return [this.text(operator)];
    }
  }

  #several(of: (BoundSource | BoundOperator) & { readonly kind: 'union' | 'search' }): string[] {
    const inputs = of.inputs.flatMap((input) => bullet(this.pipeline(input)));
    if (of.kind === 'union') {
      const source = of.withSource === undefined ? '' : ` withsource=${quoteName(of.withSource)}`;
      return [`union${source}, the columns of ${of.columnsOf} table`, ...inputs];
    }
    const sensitive = of.caseSensitive ? ' with case' : '';
    return [`search${sensitive} ${this.text(of.predicate)}`, ...inputs];
  }

  #items(items: readonly NamedExpression[]): string {
    return listText(items.map((item) => this.#item(item)));
  }

  #item({ name, columns: several, expression }: NamedExpression): string {
    if (expression.kind === 'star') return '*';
    if (expression.kind === 'column' && expression.name === name) return quoteName(name);
    const text = this.text(expression);
    if (several !== undefined) return `(${listText(several.map(quoteName))}) = ${text}`;
    return `${quoteName(name)}: ${typeLabel(expression.type)} = ${text}`;
  }

  #keys(keys: readonly BoundSortKey[]): string {
    return listText(
      keys.map(({ expression, direction, nulls }) => {
        const written = nulls === undefined ? '' : ` nulls ${nulls}`;
        return `${this.text(expression)} ${direction}${written}`;
      }),
    );
  }

  /** Writes columns by name, because both sides of `on x` have the same span. */
  #side(expression: BoundExpression): string {
    return expression.kind === 'column' ? quoteName(expression.name) : this.text(expression);
  }

  #list(expressions: readonly BoundExpression[]): string {
    return listText(expressions.map((expression) => this.text(expression)));
  }
}

function columns({ list, open }: Columns): string {
  const shown = listText(list.map(column));
  const more = open ? ' and perhaps others' : '';
  return `  → ${shown === '' ? 'no columns' : shown}${more}`;
}

function column({ name, type, variants }: Column): string {
  return `${quoteName(name)}: ${typeLabel(variants ?? type)}`;
}

/** Binds a parsed query. Never throws: a part that can't be bound is reported and replaced with a placeholder. */
import { none, packed } from '../append.ts';
import type { ScalarType } from '../catalog/types.ts';
import { defined } from '../defined.ts';
import { quoteName } from '../names.ts';
import type { Schema } from '../schema.ts';
import type * as syntax from '../syntax/tree.ts';
import { inTextOrder } from '../text.ts';
import {
  type Binder,
  define,
  maxCopiedColumns,
  maxHints,
  maxTypoComparisons,
  type NamedValue,
  report,
  reportMisspelt,
} from './binder.ts';
import type {
  BoundExpression,
  BoundLet,
  BoundParameter,
  BoundPipeline,
  BoundQuery,
} from './bound.ts';
import { datasetsOf } from './datasets.ts';
import { bindExpression, unwrap } from './expressions.ts';
import { type OuterLet, outerValue } from './outerLets.ts';
import { bindPipeline, sourceAlone } from './pipelines.ts';
import { bindTable, noRow } from './sources.ts';
import { scalarTypeNamed } from './typeNames.ts';

export interface BindOptions {
  /** The types of variables sent with the request. A `let` statement with the same name takes precedence. */
  readonly variables?: Readonly<Record<string, ScalarType>>;
  /** The values of string variables, which `table(…)` may use as dataset names. */
  readonly texts?: Readonly<Record<string, string>>;
  /** `let` statements outside the query. A `let` statement inside the query with the same name takes precedence. */
  readonly lets?: readonly OuterLet[];
}

/** Binds a query against the datasets in `schema`. The schema object must not change later, as its index is cached. */
export function bindQuery(
  tree: syntax.QueryTree,
  schema?: Schema,
  options: BindOptions = {},
): BoundQuery {
  const binder: Binder = {
    datasets: datasetsOf(schema),
    problems: [],
    references: [],
    stages: [],
    values: new Map(),
    declared: new Set(),
    patterns: new Map(),
    hints: maxHints,
    slips: maxTypoComparisons,
    copies: maxCopiedColumns,
  };
  for (const [name, type] of Object.entries(options.variables ?? {})) {
    binder.values.set(name, { kind: 'parameter', type, text: options.texts?.[name] });
  }
  const outer = options.lets ?? none;
  for (const one of outer) binder.values.set(one.name, outerValue(one));
  const lets: BoundLet[] = [];
  const parameters: BoundParameter[] = [];
  const setOptions: string[] = [];
  const pipelines: BoundPipeline[] = [];
  for (const statement of tree.statements) {
    switch (statement.kind) {
      case 'LetStatement': {
        const bound = bindLet(statement, binder);
        if (bound !== undefined) lets.push(bound);
        break;
      }
      case 'SetStatement':
        if (statement.name.kind === 'Name') {
          setOptions.push(statement.name.name);
          checkSetOption(statement.name, binder);
        }
        if (statement.value !== undefined) bindExpression(statement.value, noRow(binder));
        break;
      case 'DeclareStatement':
        for (const node of statement.parameters) parameters.push(bindParameter(node, binder));
        break;
      case 'QueryStatement':
        pipelines.push(bindPipeline(statement.pipeline, binder));
        break;
    }
  }
  const { problems, references, stages } = binder;
  return {
    tree,
    outer,
    lets: packed(lets),
    parameters: packed(parameters),
    options: packed(setOptions),
    pipelines: packed(pipelines),
    problems: packed(inTextOrder(problems)),
    references: packed(inTextOrder(references)),
    stages: packed(inTextOrder(stages)),
  };
}

/** The options that `set` accepts. The documentation lists only `stricttypes`. */
const setOptionNames: readonly string[] = ['stricttypes'];

function checkSetOption(node: syntax.Name, binder: Binder): void {
  if (setOptionNames.includes(node.name)) return;
  reportMisspelt(binder, 'unknown-set-option', node, node.name, setOptionNames);
}

function bindLet(node: syntax.LetStatement, binder: Binder): BoundLet | undefined {
  const value = bindValue(node.value, binder);
  if (node.name.kind === 'Missing') return undefined;
  const { name } = node.name;
  const type = value.kind === 'pipeline' ? 'table' : value.type;
  declare(node.name, binder);
  const meaning: NamedValue =
    value.kind === 'pipeline'
      ? { kind: 'table', pipeline: value }
      : { kind: 'scalar', type: value.type, text: textOf(value) };
  binder.values.set(name, meaning);
  define(binder, node.name, name, { kind: 'let', name, type });
  const nameSpan = { start: node.name.start, end: node.name.end };
  return { name, nameSpan, value, start: node.start, end: node.end };
}

function bindValue(
  node: syntax.Expression | syntax.Pipeline,
  binder: Binder,
): BoundExpression | BoundPipeline {
  if (node.kind === 'Pipeline') return bindPipeline(node, binder);
  const inner = unwrap(node);
  if (inner.kind === 'NameReference' && !binder.values.has(inner.name)) {
    return sourceAlone(bindTable(inner, inner.name, binder));
  }
  const bound = bindExpression(inner, noRow(binder));
  return bound.kind === 'subquery' ? bound.pipeline : bound;
}

/**
 * Declares a name. Reports the name if the query already declared it, or if the query already used a `let` statement
 * with this name from outside the query, because both statements are then sent with the query.
 */
function declare(node: syntax.Name, binder: Binder): void {
  const { name } = node;
  const { declared, references, values } = binder;
  const usesOuter = () =>
    values.has(name) && references.some((one) => one.name === name && one.meaning.kind === 'let');
  if (declared.has(name) || usesOuter())
    report(binder, 'declared-twice', node, { name: quoteName(name) });
  declared.add(name);
}

export function textOf(value: BoundExpression | undefined): string | undefined {
  return value?.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
}

function bindParameter(node: syntax.QueryParameter, binder: Binder): BoundParameter {
  const { name } = node.name;
  const type = node.type === undefined ? 'string' : scalarTypeNamed(node.type, binder);
  const defaultValue =
    node.defaultValue === undefined ? undefined : bindExpression(node.defaultValue, noRow(binder));
  const sent = binder.values.get(name);
  const text = sent?.kind === 'parameter' ? sent.text : textOf(defaultValue);
  declare(node.name, binder);
  binder.values.set(name, { kind: 'parameter', type, text });
  define(binder, node.name, name, { kind: 'parameter', name, type });
  const { start, end } = node;
  return { name, type, ...defined({ defaultValue }), start, end };
}

/** Walks a bound query once and calls the lints for each part. */
import { append } from '../append.ts';
import type {
  BoundExpression,
  BoundOperator,
  BoundPipeline,
  BoundQuery,
  BoundSource,
} from '../binding/bound.ts';

export interface Visitor {
  expression(expression: BoundExpression): void;
  pipeline(pipeline: BoundPipeline): void;
}

type Part = BoundExpression | BoundPipeline | undefined;

/**
 * Visits every pipeline and expression in the text once. Pending parts are kept in an array, because a query may
 * contain chains of thousands.
 */
export function walkBound(query: BoundQuery, visitor: Visitor): void {
  const waiting: Part[] = [];
  for (const { value } of query.lets) waiting.push(value);
  for (const { defaultValue } of query.parameters) waiting.push(defaultValue);
  append(waiting, query.pipelines);
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (part === undefined) continue;
    if (part.kind === 'pipeline') {
      visitor.pipeline(part);
      addSource(part.source, waiting);
      for (const { operator } of part.stages) addOperator(operator, waiting);
    } else {
      visitor.expression(part);
      addOperands(part, waiting);
    }
  }
}

function addSource(source: BoundSource, waiting: Part[]): void {
  switch (source.kind) {
    case 'subquery':
      waiting.push(source.pipeline);
      break;
    case 'print':
      for (const { expression } of source.items) waiting.push(expression);
      break;
    case 'datatable':
      // The values are data and may be numerous.
      break;
    case 'externaldata':
      append(waiting, source.urls);
      break;
    case 'union':
    case 'search':
      addTables(source.inputs, waiting);
      if (source.kind === 'search') waiting.push(source.predicate);
      break;
  }
}

/** Adds tables in the text. Tables that are only a dataset, such as matches of a wildcard, have nothing to check. */
function addTables(tables: readonly BoundPipeline[], waiting: Part[]): void {
  for (const table of tables) {
    if (table.stages.length > 0 || table.source.kind !== 'dataset') waiting.push(table);
  }
}

function addOperator(operator: BoundOperator, waiting: Part[]): void {
  switch (operator.kind) {
    case 'where':
      waiting.push(operator.predicate);
      break;
    case 'extend':
    case 'project':
    case 'distinct':
      for (const { expression } of operator.items) waiting.push(expression);
      break;
    case 'summarize':
      for (const { expression } of operator.aggregates) waiting.push(expression);
      for (const { expression } of operator.groups) waiting.push(expression);
      break;
    case 'sort':
      for (const { expression } of operator.keys) waiting.push(expression);
      break;
    case 'top':
      waiting.push(operator.count);
      for (const { expression } of operator.keys) waiting.push(expression);
      break;
    case 'limit':
      waiting.push(operator.count);
      break;
    case 'sample':
      waiting.push(operator.ratio);
      break;
    case 'join':
      addTables([operator.right], waiting);
      for (const { left, right } of operator.conditions) waiting.push(left, right);
      break;
    case 'union':
      addTables(operator.inputs, waiting);
      break;
    case 'search':
      addTables(operator.inputs, waiting);
      waiting.push(operator.predicate);
      break;
    case 'make-series':
      for (const { item, defaultValue } of operator.aggregates)
        waiting.push(item.expression, defaultValue);
      waiting.push(operator.on, operator.from, operator.to, operator.step);
      for (const { expression } of operator.groups) waiting.push(expression);
      break;
    case 'mv-expand':
      for (const { item } of operator.items) waiting.push(item.expression);
      break;
    case 'parse':
    case 'parse-kv':
      waiting.push(operator.subject);
      break;
    case 'redact':
      append(waiting, operator.patterns);
      append(waiting, operator.on);
      break;
  }
}

function addOperands(expression: BoundExpression, waiting: Part[]): void {
  switch (expression.kind) {
    case 'array':
      append(waiting, expression.items);
      break;
    case 'bag':
      for (const { value } of expression.entries) waiting.push(value);
      break;
    case 'unary':
      waiting.push(expression.operand);
      break;
    case 'binary':
      waiting.push(expression.left, expression.right);
      break;
    case 'in':
      waiting.push(expression.left);
      for (const item of expression.items) if (item.kind !== 'literal') waiting.push(item);
      break;
    case 'between':
      waiting.push(expression.left, expression.low, expression.high);
      break;
    case 'call':
      append(waiting, expression.arguments);
      break;
    case 'named':
      waiting.push(expression.value);
      break;
    case 'member':
      waiting.push(expression.target, expression.key);
      break;
    case 'slice':
      waiting.push(expression.target, expression.from, expression.to);
      break;
    case 'subquery':
      waiting.push(expression.pipeline);
      break;
    case 'term':
      waiting.push(expression.field);
      break;
  }
}

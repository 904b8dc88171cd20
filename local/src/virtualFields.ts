/**
 * Virtual fields: expressions of APL over the fields of a dataset. One is read as the only item of an `extend`
 * after its dataset, and must bind, be one expression and have a plan. One that fails here is left out of its
 * dataset, so that only queries that name it fail.
 */
import type { VirtualField } from '../../api/src/index.ts';
import {
  analyzeQuery,
  type BoundQuery,
  type DatasetSchema,
  type FieldSchema,
  type NamedExpression,
  quoteName,
  type Span,
  wireTypeOf,
} from '../../language/src/index.ts';
import { PlanError } from './planner/errors.ts';
import { planQuery } from './planner/index.ts';
import type { Plan } from './planner/plan.ts';
import { PLAN_LIMITS } from './planner/planSize.ts';
import type { QueryProblem } from './routes/queryErrors.ts';
import type { DatasetLayout } from './store/layout.ts';

/** A virtual field as queries use it. */
export interface UsableField {
  readonly item: NamedExpression;
  readonly schema: FieldSchema;
  /** The plan of a query for nothing but the field. */
  readonly plan: Plan;
  /** The names in the expression that are not fields of the dataset, where it is open. */
  readonly unknown: readonly string[];
}

/** Why a virtual field cannot be used; the offsets are those of its expression. */
export interface UnusableField {
  readonly problem: QueryProblem;
}

/** What a virtual field stands on: its dataset's fields as they are named and stored, and the fields before it. */
export interface FieldBase {
  readonly schema: DatasetSchema;
  readonly layout: DatasetLayout;
  readonly before: readonly NamedExpression[];
}

/**
 * Reads a virtual field. Where the schema of the dataset is not complete, fields that it lacks are taken to be
 * dynamic.
 */
export function readVirtualField(
  { name, expression, unit, description }: VirtualField,
  { schema, layout, before }: FieldBase,
): UsableField | UnusableField {
  const prefix = `${quoteName(schema.name)}\n| extend ${quoteName(name)} = `;
  const unusable = (code: string, message: string, { start, end }: Span): UnusableField => {
    const within = (offset: number) =>
      Math.min(Math.max(offset - prefix.length, 0), expression.length);
    return { problem: { code, message, start: within(start), end: within(end) } };
  };
  const text = `${prefix}${expression}\n`;
  const { bound, problems, silenced } = analyzeQuery(text, { complete: true, datasets: [schema] });
  const error = [...problems, ...silenced].find(({ severity }) => severity === 'error');
  if (error !== undefined) return unusable(error.code, error.message, error);
  const item = onlyItem(bound);
  if (!('expression' in item)) {
    return unusable('not-one-expression', 'A virtual field is a single expression.', item);
  }
  const cursor = bound.references.find(
    ({ name, meaning }) => meaning.kind === 'function' && name === 'cursor_current',
  );
  if (cursor !== undefined) {
    // Only the query knows whether its events have cursors.
    return unusable('unsupported-expression', 'A virtual field cannot have a cursor.', cursor);
  }
  const unknown = schema.complete === false ? unknownNames(bound) : [];
  try {
    const plan = planQuery(bound, {
      layoutOf: (dataset) => (dataset === schema.name ? widened(layout, unknown) : undefined),
      virtualFieldsOf: () => before,
      datasetNames: () => [schema.name],
      range: { start: 0n, end: 1n },
      now: 0n,
      defaultLimit: 1,
      limits: { ...PLAN_LIMITS, selects: MAX_SELECTS },
    });
    const details = {
      ...(unit === undefined ? {} : { unit }),
      ...(description === undefined ? {} : { description }),
    };
    const type = wireTypeOf(item.expression.type);
    return { item, schema: { name, type, ...details }, plan, unknown };
  } catch (thrown) {
    if (thrown instanceof PlanError) return unusable(thrown.code, thrown.message, thrown);
    throw thrown;
  }
}

/** How many virtual fields may build on each other: queries need room for stages of their own. */
const MAX_SELECTS = 100;

/** The item of the extend, or the place of what follows it. */
function onlyItem({ pipelines }: BoundQuery): NamedExpression | Span {
  const [pipeline, second] = pipelines;
  const [stage, next] = pipeline?.stages ?? [];
  const other = next ?? second;
  if (other !== undefined) return other;
  if (stage?.operator.kind !== 'extend') return { start: 0, end: 0 };
  const [item, more] = stage.operator.items;
  return more === undefined && item !== undefined ? item : spanOf(more ?? stage);
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

function unknownNames({ references }: BoundQuery): string[] {
  const names = references.flatMap(({ name, meaning }) => (meaning.kind === 'unknown' ? name : []));
  return [...new Set(names)];
}

/** The layout with columns for fields that no event has had yet. */
function widened(layout: DatasetLayout, names: readonly string[]): DatasetLayout {
  const known = new Set(layout.fields.map(({ name }) => name));
  const missing = names.filter((name) => !known.has(name));
  const fields = missing.map((name, index) => ({
    name,
    variants: [{ type: 'map' as const, column: `missing:${index}` }],
  }));
  return { ...layout, fields: [...layout.fields, ...fields] };
}

/** Virtual fields that cannot be used, with the reason, by their names. */
export type BrokenFields = ReadonlyMap<string, string>;

/**
 * The problem that names the virtual field, where a query fails over a name that is unknown only because the
 * virtual field of that name cannot be used; otherwise the problem as it is.
 */
export function blameVirtualField<P extends QueryProblem>(
  problem: P,
  bound: BoundQuery,
  brokenOf: (dataset: string) => BrokenFields,
): P | QueryProblem {
  if (problem.code !== 'unknown-column') return problem;
  const at = bound.references.find(
    ({ start, meaning }) => start === problem.start && meaning.kind !== 'dataset',
  );
  const name = at?.name ?? bound.tree.text.slice(problem.start, problem.end);
  for (const { meaning } of bound.references) {
    const why = meaning.kind === 'dataset' ? brokenOf(meaning.name).get(name) : undefined;
    if (why === undefined) continue;
    const message = `The virtual field ${name} cannot be used. ${why}`;
    return { code: 'broken-virtual-field', message, start: problem.start, end: problem.end };
  }
  return problem;
}

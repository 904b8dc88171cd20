/**
 * Reads virtual fields: named APL expressions over a dataset's fields. An expression is analyzed in an `extend` of the
 * dataset. It must be a single valid expression that the planner supports. An invalid virtual field is omitted from its
 * dataset, so that only queries that use it fail.
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
import { defined } from './defined.ts';
import { PlanError } from './planner/errors.ts';
import { planQuery } from './planner/index.ts';
import type { Plan } from './planner/plan.ts';
import { PLAN_LIMITS } from './planner/planSize.ts';
import type { QueryProblem } from './routes/queryErrors.ts';
import type { DatasetLayout } from './store/layout.ts';

export interface UsableField {
  readonly item: NamedExpression;
  readonly schema: FieldSchema;
  readonly plan: Plan;
  /** Names in the expression that the dataset's incomplete schema lacks. */
  readonly unknown: readonly string[];
}

/** A virtual field that can't be used. The problem's offsets are in the field's expression. */
export interface UnusableField {
  readonly problem: QueryProblem;
}

/** The names that a virtual field may use. */
export interface FieldBase {
  readonly schema: DatasetSchema;
  readonly layout: DatasetLayout;
  readonly earlierFields: readonly NamedExpression[];
}

/** Reads a virtual field. If the dataset's schema is incomplete, unknown names are dynamic fields. */
export function readVirtualField(
  { name, expression, unit, description }: VirtualField,
  { schema, layout, earlierFields }: FieldBase,
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
    // Events have cursors only in some queries.
    return unusable('unsupported-expression', 'A virtual field cannot have a cursor.', cursor);
  }
  const unknown = schema.complete === false ? unknownNames(bound) : [];
  try {
    const plan = planQuery(bound, {
      layoutOf: (dataset) =>
        dataset === schema.name ? withMissingFields(layout, unknown) : undefined,
      virtualFieldsOf: () => earlierFields,
      datasetNames: () => [schema.name],
      range: { start: 0n, end: 1n },
      now: 0n,
      defaultLimit: 1,
      limits: { ...PLAN_LIMITS, selects: SELECTS_MAX },
    });
    const type = wireTypeOf(item.expression.type);
    return { item, schema: { name, type, ...defined({ unit, description }) }, plan, unknown };
  } catch (thrown) {
    if (thrown instanceof PlanError) return unusable(thrown.code, thrown.message, thrown);
    throw thrown;
  }
}

/** Maximum depth of nested SELECTs. It is lower than a query's limit, so that queries can add stages. */
const SELECTS_MAX = 100;

/**
 * Returns the item of a query that is only an `extend` of one item. Otherwise returns the span of the first other part,
 * or an empty span if there is no `extend`.
 */
function onlyItem({ pipelines }: BoundQuery): NamedExpression | Span {
  const [pipeline, second] = pipelines;
  const [stage, next] = pipeline?.stages ?? [];
  const other = next ?? second;
  if (other !== undefined) return other;
  if (stage?.operator.kind !== 'extend') return { start: 0, end: 0 };
  const [item, more] = stage.operator.items;
  if (more === undefined && item !== undefined) return item;
  const { start, end } = more ?? stage;
  return { start, end };
}

function unknownNames({ references }: BoundQuery): string[] {
  const names = references.flatMap(({ name, meaning }) => (meaning.kind === 'unknown' ? name : []));
  return [...new Set(names)];
}

/** Adds empty columns for the missing fields, because no event has had these fields yet. */
function withMissingFields(layout: DatasetLayout, names: readonly string[]): DatasetLayout {
  const known = new Set(layout.fields.map(({ name }) => name));
  const missing = names.filter((name) => !known.has(name));
  const fields = missing.map((name, index) => ({
    name,
    variants: [{ type: 'map' as const, column: `missing:${index}` }],
  }));
  return { ...layout, fields: [...layout.fields, ...fields] };
}

export type BrokenFields = ReadonlyMap<string, string>;

/** Replaces the problem of an unknown column if the column is an unusable virtual field. */
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

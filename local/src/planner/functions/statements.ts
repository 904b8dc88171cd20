/** `parse_sql` and `format_sql`: computed while planning, so their arguments must be constants. */
import type { DynamicConstant } from '../../../../language/src/index.ts';
import { PlanError } from '../errors.ts';
import { dynamicConstant } from '../expressions.ts';
import { formatStatement } from '../statements/format.ts';
import { isStatement } from '../statements/model.ts';
import { parseStatement } from '../statements/parse.ts';
import { constant, knownOf, nullOf } from '../values.ts';
import { at, custom, type FunctionPlan } from './define.ts';

const byRow = (name: string) =>
  `${name} works on constants only on this deployment, since DuckDB cannot take statements apart row by row.`;

export const statementFunctions = {
  format_sql: custom((call) => {
    const model = knownOf(at(call, 0));
    if (model === null) return nullOf('string');
    if (model === undefined) {
      throw new PlanError('invalid-argument', call.args[0] ?? call.node, byRow('format_sql'));
    }
    return isStatement(model) ? constant(formatStatement(model), 'string') : nullOf('string');
  }),
  parse_sql: custom((call) => {
    const text = knownOf(at(call, 0));
    if (text === null) return nullOf('dynamic');
    if (typeof text !== 'string') {
      throw new PlanError('invalid-argument', call.args[0] ?? call.node, byRow('parse_sql'));
    }
    const model = parseStatement(text);
    return model === undefined
      ? nullOf('dynamic')
      : dynamicConstant(model as unknown as DynamicConstant);
  }),
} as const satisfies Readonly<Record<string, FunctionPlan>>;

/** Plans each scalar function as SQL, or states why it is unsupported. The keys are the names in the catalog. */
import type { BoundExpression, ScalarFunctionName } from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import { arrayFunctions } from './functions/array.ts';
import { conversionFunctions } from './functions/conversion.ts';
import { datetimeFunctions } from './functions/datetime.ts';
import type { FunctionPlan } from './functions/define.ts';
import { genaiFunctions } from './functions/genai.ts';
import { generalFunctions } from './functions/general.ts';
import { ipFunctions } from './functions/ip.ts';
import { mathFunctions } from './functions/math.ts';
import { seriesFunctions } from './functions/series.ts';
import { stringFunctions } from './functions/string.ts';
import type { Scope } from './scope.ts';
import type { Value } from './values.ts';

export const functionPlans: Readonly<Record<ScalarFunctionName, FunctionPlan>> = {
  ...stringFunctions,
  ...datetimeFunctions,
  ...mathFunctions,
  ...arrayFunctions,
  ...ipFunctions,
  ...conversionFunctions,
  ...seriesFunctions,
  ...genaiFunctions,
  ...generalFunctions,
};

type Call = BoundExpression & { kind: 'call' };

export function planFunction(node: Call, scope: Scope): Value {
  const found: FunctionPlan | undefined = Object.hasOwn(functionPlans, node.name)
    ? functionPlans[node.name as ScalarFunctionName]
    : undefined;
  if (found === undefined) {
    throw new PlanError('unsupported-function', node, `The function ${node.name} does not exist.`);
  }
  if (typeof found === 'object') {
    throw new PlanError(
      'unsupported-function',
      node,
      `The function ${node.name} is not supported on this deployment, because ${found.unsupported}.`,
    );
  }
  return found({ node, args: node.arguments, scope });
}

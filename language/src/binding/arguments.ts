/** Checks the types of a call's arguments, and the values of string arguments that must be certain words. */
import { accepts, parameterAt } from '../catalog/signatures.ts';
import type {
  FunctionRow,
  Parameter,
  ParameterType,
  ScalarType,
  Signature,
} from '../catalog/types.ts';
import { didYouMean } from '../problems.ts';
import { hintFor, report, type Scope } from './binder.ts';
import type { BoundExpression } from './bound.ts';
import { describeType, isNumeric } from './types.ts';

export function checkArguments(
  row: FunctionRow,
  signatures: readonly Signature[],
  args: readonly BoundExpression[],
  scope: Scope,
): void {
  for (let i = 0; i < args.length; i++) {
    const argument = args[i] as BoundExpression;
    let parameter: Parameter | undefined;
    let accepted = false;
    for (const signature of signatures) {
      const candidate = parameterAt(signature, i, args.length);
      parameter ??= candidate;
      accepted ||= candidate !== undefined && acceptsArgument(candidate, argument);
    }
    if (parameter === undefined) continue;
    if (!accepted) {
      // Report only the first wrong type. Once the user fixes it, the next wrong type is reported.
      reportType(row, parameter, argument, scope);
      return;
    }
    checkValue(row, parameter, argument, scope);
  }
}

function acceptsArgument(parameter: Parameter, argument: BoundExpression): boolean {
  if (argument.kind === 'star') {
    return parameter.type === 'wildcard' || parameter.type === 'field' || parameter.type === 'row';
  }
  if (parameter.type === 'type') return argument.kind === 'typeof' || argument.kind === 'error';
  // Accept a real for a long parameter, because the service converts between the two types.
  if (parameter.type === 'long' && argument.type === 'real') return true;
  return accepts(parameter.type, argument.type);
}

function reportType(
  row: FunctionRow,
  parameter: Parameter,
  argument: BoundExpression,
  scope: Scope,
): void {
  const values = {
    name: `${row.name}()`,
    expected: describeParameter(parameter.type),
    parameter: parameter.name,
    actual: argument.kind === 'star' ? '*' : describeType(argument.type),
  };
  const span = [parameter.type].flat().includes('timespan') ? spanInstead(argument) : undefined;
  const hint = span?.hint ?? conversionHint(parameter.type);
  report(scope.binder, 'argument-type', argument, { ...values, hint }, span?.suggestion);
}

/** Returns a hint if a number or string was probably meant as a timespan, as in `ago(60)`. */
function spanInstead(
  argument: BoundExpression,
): { readonly hint: string; readonly suggestion?: string } | undefined {
  if (argument.kind !== 'literal' || argument.value === null) return undefined;
  const { value } = argument;
  if (typeof value === 'string' && /^\d+(?:\.\d+)?(?:d|h|m|s|ms)$/.test(value))
    return { hint: ` Use ${value}.`, suggestion: value };
  return isNumeric(argument.type) ? { hint: ` Add a unit, such as ${value}s.` } : undefined;
}

const conversions: Readonly<Partial<Record<ScalarType, string>>> = {
  bool: 'tobool',
  datetime: 'todatetime',
  dynamic: 'todynamic',
  long: 'tolong',
  real: 'toreal',
  string: 'tostring',
  timespan: 'totimespan',
};

function conversionHint(type: ParameterType): string {
  if (typeof type !== 'string' || !Object.hasOwn(conversions, type)) return '';
  return ` Convert it with ${conversions[type as ScalarType]}().`;
}

function describeParameter(type: ParameterType): string {
  if (typeof type !== 'string') return type.map(describeParameter).join(' or ');
  switch (type) {
    case 'numeric':
      return 'a number';
    case 'scalar':
      return 'a value';
    case 'field':
    case 'row':
    case 'wildcard':
      return 'a column';
    case 'type':
      return 'a type such as typeof(long)';
    default:
      return describeType(type);
  }
}

function checkValue(
  row: FunctionRow,
  parameter: Parameter,
  argument: BoundExpression,
  scope: Scope,
): void {
  if (parameter.values === undefined || argument.kind !== 'literal') return;
  if (typeof argument.value !== 'string') return;
  const word = argument.value.toLowerCase();
  if (parameter.values.some((value) => value.toLowerCase() === word)) return;
  const hint = hintFor(scope.binder, argument.value, parameter.values);
  const suggestion = hint === undefined ? undefined : `'${hint}'`;
  const values = {
    name: `${row.name}()`,
    parameter: parameter.name,
    value: `'${argument.value}'`,
    hint: didYouMean(suggestion),
  };
  report(scope.binder, 'argument-value', argument, values, suggestion);
}

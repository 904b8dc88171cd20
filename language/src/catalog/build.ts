/** Builds tables of functions, keyed by name. */
import type {
  FunctionKind,
  FunctionRow,
  Parameter,
  ParameterType,
  ReturnType,
  Signature,
} from './types.ts';

/** A function's catalog row without the name, kind and category, which `area` adds. */
export type FunctionDraft = Omit<FunctionRow, 'name' | 'kind' | 'category'>;

type Extras = Omit<FunctionDraft, 'signatures'> & {
  /** Further signatures, in addition to `parameters` and `returns`. */
  readonly or?: readonly Signature[];
  /** The value of `Signature.repeating` for the first signature. */
  readonly repeating?: number;
};

export function fn(
  parameters: readonly Parameter[],
  returns: ReturnType,
  { or = [], repeating, ...rest }: Extras = {},
): FunctionDraft {
  const first = repeating ? { parameters, returns, repeating } : { parameters, returns };
  return { signatures: [first, ...or], ...rest };
}

export function signature(parameters: readonly Parameter[], returns: ReturnType): Signature {
  return { parameters, returns };
}

/** Adds the name, kind and category to each row of a table of functions. */
export function area<Name extends string>(
  category: string,
  drafts: Readonly<Record<Name, FunctionDraft>>,
  kind: FunctionKind = 'scalar',
): Readonly<Record<Name, FunctionRow>> {
  const rows: Partial<Record<Name, FunctionRow>> = {};
  for (const name in drafts) rows[name] = { name, kind, category, ...drafts[name] };
  return rows as Record<Name, FunctionRow>;
}

type ParameterBuilder = (
  name: string,
  more?: Pick<Parameter, 'names' | 'unit' | 'values'>,
) => Parameter;

function ofType(type: ParameterType): ParameterBuilder {
  return (name, more) => ({ name, type, ...more });
}

export const bool = ofType('bool');
export const datetime = ofType('datetime');
export const dynamic = ofType('dynamic');
export const field = ofType('field');
export const long = ofType('long');
export const numeric = ofType('numeric');
export const scalar = ofType('scalar');
export const string = ofType('string');
export const timespan = ofType('timespan');
export const typeLiteral = ofType('type');
export const amount = ofType(['numeric', 'timespan']);
export const ordinal = ofType(['numeric', 'datetime', 'timespan']);
export const either = (name: string, ...types: Exclude<ParameterType, string>): Parameter => ({
  name,
  type: types,
});
export const star: Parameter = { name: '*', type: 'wildcard' };

export const word = (name: string, values: readonly string[]): Parameter => ({
  name,
  type: 'string',
  values,
});

export const optional = (parameter: Parameter): Parameter => ({ ...parameter, optional: true });
/** Returns the parameter marked as repeatable. Only the last parameter may be repeatable. */
export const many = (parameter: Parameter): Parameter => ({ ...parameter, variadic: true });

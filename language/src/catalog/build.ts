/** Builds the catalog's tables of functions. A table has one row per function, keyed by the function's name. */
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
  /** Signatures in addition to the one formed by `parameters` and `returns`. */
  readonly or?: readonly Signature[];
  /** The value of `Signature.repeating` for the first signature. */
  readonly repeating?: number;
};

/** Defines a function by its parameters, return type and other properties. The calling file also documents it. */
export function fn(
  parameters: readonly Parameter[],
  returns: ReturnType,
  { or = [], repeating, ...rest }: Extras = {},
): FunctionDraft {
  const first = repeating ? { parameters, returns, repeating } : { parameters, returns };
  return { signatures: [first, ...or], ...rest };
}

/** Defines an additional signature of a function. */
export function signature(parameters: readonly Parameter[], returns: ReturnType): Signature {
  return { parameters, returns };
}

/** Completes a table of functions. Adds the category, the kind and the name (the row's key) to each row. */
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
/** A parameter that accepts a type literal, such as `typeof(long)`. */
export const typeLiteral = ofType('type');
/** A parameter that accepts a number or a timespan. */
export const amount = ofType(['numeric', 'timespan']);
/** A parameter that accepts a number, a datetime or a timespan. */
export const ordinal = ofType(['numeric', 'datetime', 'timespan']);
/** A parameter that accepts any of several types. */
export const either = (name: string, ...types: Exclude<ParameterType, string>): Parameter => ({
  name,
  type: types,
});
/** A parameter that accepts only a bare `*`. */
export const star: Parameter = { name: '*', type: 'wildcard' };

/** A string parameter that accepts only the given words. */
export const word = (name: string, values: readonly string[]): Parameter => ({
  name,
  type: 'string',
  values,
});

export const optional = (parameter: Parameter): Parameter => ({ ...parameter, optional: true });
/** Makes the last parameter repeatable. Calls need at least one argument for it, unless it is also optional. */
export const many = (parameter: Parameter): Parameter => ({ ...parameter, variadic: true });

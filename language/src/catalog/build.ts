/**
 * Builders that keep the catalog's tables one compact row per function. A function's name is the key of
 * its row, so that the union of all names is known to the type checker without inferring the rows.
 */
import type {
  FunctionKind,
  FunctionRow,
  Parameter,
  ParameterType,
  ReturnType,
  Signature,
} from './types.ts';

/** A row before its area gives it a name, a kind and a category. */
export type FunctionDraft = Omit<FunctionRow, 'name' | 'kind' | 'category'>;

type Extras = Omit<FunctionDraft, 'signatures'> & {
  /** Further signatures. */
  readonly or?: readonly Signature[];
  /** As `Signature.repeating`, of the first signature. */
  readonly repeating?: number;
};

/** One function: its parameters, what it returns, and what else sets it apart. Its prose is in `prose/`. */
export function fn(
  parameters: readonly Parameter[],
  returns: ReturnType,
  { or = [], repeating, ...rest }: Extras = {},
): FunctionDraft {
  const first = repeating ? { parameters, returns, repeating } : { parameters, returns };
  return { signatures: [first, ...or], ...rest };
}

/** A further signature of a function. */
export function signature(parameters: readonly Parameter[], returns: ReturnType): Signature {
  return { parameters, returns };
}

/** Names the rows of one category of functions. */
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
/** `typeof(long)`. */
export const typeLiteral = ofType('type');
/** A number or a duration. */
export const amount = ofType(['numeric', 'timespan']);
/** A number, a time or a duration. */
export const ordinal = ofType(['numeric', 'datetime', 'timespan']);
/** A value whose type is one of several. */
export const either = (name: string, ...types: Exclude<ParameterType, string>): Parameter => ({
  name,
  type: types,
});
/** A bare `*`. */
export const star: Parameter = { name: '*', type: 'wildcard' };

/** A string that is one of the given words. */
export const word = (name: string, values: readonly string[]): Parameter => ({
  name,
  type: 'string',
  values,
});

export const optional = (parameter: Parameter): Parameter => ({ ...parameter, optional: true });
/** The last parameter, standing once or more. */
export const many = (parameter: Parameter): Parameter => ({ ...parameter, variadic: true });

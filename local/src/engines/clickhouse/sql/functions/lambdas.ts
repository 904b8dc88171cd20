/** Functions that call a lambda for each item of a list. */
import type { Binding, Call, Context, FunctionRow, Translate } from '../context.ts';
import { newVariable } from '../lists.ts';
import { NotOnEngine } from '../notOnEngine.ts';
import type { Node } from '../tree.ts';
import { listOf, structOf } from '../types.ts';
import { LENGTH_BITS, nullIfAny, scalar, type Value } from '../value.ts';
import { listArgument } from './define.ts';

export function lambdaAt(call: Call, i: number): Node & { kind: 'lambda' } {
  const node = call.nodes[i];
  if (node?.kind !== 'lambda') throw new NotOnEngine(`${call.name}() without a lambda`);
  return node;
}

export function bodyWith(
  { parameters, body }: Node & { kind: 'lambda' },
  values: readonly Value[],
  { context, translate }: Pick<Call, 'context' | 'translate'>,
): Value {
  const bindings = new Map<string, Binding>(context.bindings);
  for (const [i, parameter] of parameters.entries())
    bindings.set(parameter, () => values[i] as Value);
  return translate(body, { ...context, bindings });
}

/** Calls a ClickHouse function such as arrayMap with a lambda of an item and, if used, its position. */
function overItems(call: Call, name: 'arrayMap' | 'arrayFilter') {
  const list = listArgument(call, 0);
  const lambda = lambdaAt(call, 1);
  const [item, position] = [newVariable(), newVariable()];
  const hasPosition = lambda.parameters.length > 1;
  const index = scalar(`toInt64(${position})`, 'int', { present: true, bits: LENGTH_BITS });
  const body = bodyWith(lambda, [{ sql: item, type: list.of }, index], call);
  if (body.fails && call.context.attempt) throw new NotOnEngine(`TRY around ${call.name}()`);
  const write = (of: string) =>
    hasPosition
      ? `${name}((${item}, ${position}) -> ${of}, ${list.sql}, arrayEnumerate(${list.sql}))`
      : `${name}(${item} -> ${of}, ${list.sql})`;
  return { list, body, write };
}

export const transform: FunctionRow = (call) => {
  const { list, body, write } = overItems(call, 'arrayMap');
  return nullIfAny({ sql: write(body.sql), type: listOf(body.type) }, [list.test]);
};

export const filter: FunctionRow = (call) => {
  const { list, body, write } = overItems(call, 'arrayFilter');
  const met = body.present ? body.sql : `ifNull(${body.sql}, 0)`;
  return nullIfAny({ sql: write(met), type: listOf(list.of) }, [list.test]);
};

const MAX_INLINED = 40;

/**
 * Translates `list_transform([x], lambda _x: …)[1]`, which computes `x` once, and the same with `list_zip` for
 * several values.
 */
export function letOf(
  { of, index }: Node & { kind: 'subscript' },
  context: Context,
  translate: Translate,
): Value | undefined {
  if (index.kind !== 'number' || index.text !== '1') return undefined;
  if (of.kind !== 'call' || of.name !== 'list_transform') return undefined;
  const [list, lambda] = of.args;
  if (lambda?.kind !== 'lambda' || lambda.parameters.length !== 1) return undefined;
  const value = onlyItem(list as Node, context, translate);
  if (value === undefined) return undefined;
  const call = { context, translate };
  if (value.sql.length <= MAX_INLINED) return bodyWith(lambda, [value], call);
  const name = newVariable();
  const body = bodyWith(lambda, [{ ...value, sql: name }], call);
  if (body.fails && context.attempt) throw new NotOnEngine('TRY around list_transform()');
  return { ...body, sql: `arrayElement(arrayMap(${name} -> ${body.sql}, [${value.sql}]), 1)` };
}

function onlyItem(list: Node, context: Context, translate: Translate): Value | undefined {
  if (list.kind === 'list')
    return list.items.length === 1 ? translate(list.items[0] as Node, context) : undefined;
  if (list.kind !== 'call' || list.name !== 'list_zip') return undefined;
  const items = list.args.map((arg) =>
    arg.kind === 'list' && arg.items.length === 1 ? arg.items[0] : undefined,
  );
  if (items.some((item) => item === undefined)) return undefined;
  const values = items.map((item) => translate(item as Node, context));
  return {
    sql: `tuple(${values.map(({ sql }) => sql).join(', ')})`,
    type: structOf(values.map(({ type }, i) => [String(i + 1), type] as const)),
  };
}

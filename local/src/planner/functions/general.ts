/**
 * Plans the conditional and hash functions, and the functions for an event's cursor and ingestion time. Functions for
 * SQL strings are unsupported, because they need a SQL parser.
 */
import { PlanError } from '../errors.ts';
import { cursorText } from '../paging.ts';
import { planPredicate } from '../scalarOperators.ts';
import { rejectMissing } from '../scope.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { as, nullOf, plainText, toText, type Value, value } from '../values.ts';
import {
  at,
  type Call,
  constantText,
  type FunctionPlan,
  optionalAt,
  toCommonType,
  unsupported,
} from './define.ts';

/** Plans a choice between values by conditions. A null condition counts as false. */
function choice(pairs: readonly (readonly [Sql, Value])[], otherwise: Value): Value {
  const { type, parts } = toCommonType([...pairs.map(([, of]) => of), otherwise]);
  const cases = pairs.map(([test], i) => sql`WHEN ${test} THEN ${parts[i] as Sql}`);
  return value(sql`CASE ${print.join(cases, ' ')} ELSE ${parts.at(-1) as Sql} END`, type);
}

function iff(call: Call): Value {
  const [test] = call.args;
  const condition = planPredicate(test ?? call.node, call.scope);
  return choice([[condition, at(call, 1)]], at(call, 2));
}

function caseOf(call: Call): Value {
  const pairs: (readonly [Sql, Value])[] = [];
  let i = 0;
  for (; i + 1 < call.args.length; i += 2) {
    pairs.push([planPredicate(call.args[i] ?? call.node, call.scope), at(call, i + 1)]);
  }
  return choice(pairs, optionalAt(call, i) ?? nullOf('dynamic'));
}

function columnIfExists(call: Call): Value {
  const found = call.scope.find(constantText(call, 0, 'name'));
  return found ?? at(call, 1);
}

function hashed(name: string): FunctionPlan {
  return (call) => value(print.call(name, plainText(at(call, 0))), 'string');
}

const noSqlParser = unsupported('it needs a SQL parser that the deployment does not have');

export const generalFunctions = {
  case: caseOf,
  column_ifexists: columnIfExists,
  cursor_current: (call) => {
    const text = cursorText(call.scope.table);
    if (text !== undefined) return value(text, 'string');
    throw new PlanError(
      'unsupported-expression',
      call.node,
      'A cursor is not available here: the rows are not the events of one dataset. Call cursor_current() before they are grouped or joined.',
    );
  },
  format_sql: noSqlParser,
  hash: (call) => {
    const salt = optionalAt(call, 1);
    const text = plainText(at(call, 0));
    const salted = salt === undefined ? text : sql`${text} || chr(0) || ${toText(salt)}`;
    return value(sql`apl.hash(${salted})`, 'long');
  },
  hash_md5: hashed('md5'),
  hash_sha1: hashed('sha1'),
  hash_sha256: hashed('sha256'),
  hash_sha512: hashed('apl.sha512'),
  iff: iff,
  iif: iff,
  ingestion_time: (call) => {
    const found = call.scope.find('_sysTime');
    if (found !== undefined) return value(as(found, 'datetime'), 'datetime');
    const message = 'The ingestion time is not available here: the column _sysTime was removed.';
    rejectMissing(new PlanError('unknown-column', call.node, message), call.scope.planning);
    return nullOf('datetime');
  },
  parse_sql: noSqlParser,
} as const satisfies Readonly<Record<string, FunctionPlan>>;

const raw = String.raw;

export const generalMacros: Readonly<Record<string, string>> = {
  // DuckDB's own hash may change with its version, and other engines don't have it.
  'hash(_s)': raw`CAST(CAST(md5_number_lower(_s) AS HUGEINT) - 9223372036854775808 AS BIGINT)`,
};

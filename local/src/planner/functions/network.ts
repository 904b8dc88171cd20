/** Functions over IP addresses. Without a prefix, all bits of the address are compared. */

import { precomputeLarge } from '../precompute.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { as, knownOf, plainText, scalarOf, type Value, value } from '../values.ts';
import {
  at,
  type Call,
  custom,
  type FunctionPlan,
  optionalAt,
  simple,
  unsupported,
} from './define.ts';

const wholeAddress = { 2: sql`32` };
const wholeAddress6 = { 2: sql`128` };

/** Plans a list of strings: a dynamic array, one string, or the remaining arguments. */
function textsFrom(call: Call, first: number): Sql {
  const all = call.args.slice(first).map((_, i) => at(call, first + i));
  const [only] = all;
  if (all.length === 1 && only !== undefined && only.type === 'dynamic') {
    return sql`apl.texts(${as(only, 'dynamic')})`;
  }
  return sql`[${print.join(all.map((of: Value) => plainText(of)))}]`;
}

function anyOf(macro: string): FunctionPlan {
  return custom((call) =>
    value(print.call(macro, plainText(at(call, 0)), textsFrom(call, 1)), 'bool'),
  );
}

/** The number of constant ranges above which they are converted at run time, when the query can be canceled. */
const manyRanges = 100;

/** Tests an address against ranges. Constant ranges are converted to numbers once, not per row. */
function inAnyRange(version: 'ipv4' | 'ipv6'): FunctionPlan {
  return custom((call) => {
    const known = knownTexts(call, 1);
    const texts =
      known === undefined
        ? textsFrom(call, 1)
        : sql`apl.texts(${print.text(JSON.stringify(known))}::JSON)`;
    const boundsOf = (of: Sql) => print.call(`apl.${version}_ranges`, of);
    const plain = value(boundsOf(texts), 'dynamic');
    const isLong = known !== undefined && known.length > manyRanges;
    const bounds = isLong
      ? precomputeLarge({ ...call.node }, plain, texts, boundsOf, call.scope)
      : plain;
    const address = plainText(at(call, 0));
    return value(print.call(`apl.${version}_in_any`, address, bounds.sql), 'bool');
  });
}

/**
 * Returns the constant strings in the last arguments, or in a single array argument; undefined if any depends on the
 * row.
 */
function knownTexts(call: Call, first: number): readonly string[] | undefined {
  const all = call.args.slice(first).map((_, i) => knownOf(at(call, first + i)));
  const [only] = all;
  const list: readonly unknown[] = all.length === 1 && Array.isArray(only) ? only : all;
  return list.every((item) => typeof item === 'string') ? list : undefined;
}

export const networkFunctions = {
  format_ipv4: custom((call) => formatted(call, lengthOf(call))),
  format_ipv4_mask: custom((call) => {
    const of = at(call, 0);
    const prefix = lengthOf(call);
    const text = formatted(call, prefix).sql;
    const length = of.type === 'string' ? networkLength(of, prefix) : prefix;
    return value(
      sql`CASE WHEN ${text} = '' THEN '' ELSE ${text} || '/' || ${length} END`,
      'string',
    );
  }),
  geo_info_from_ip_address: unsupported(
    'it needs a file of places by address that is not part of the extension',
  ),
  has_any_ipv4: anyOf('apl.has_any_ipv4'),
  has_any_ipv4_prefix: anyOf('apl.has_any_ipv4_prefix'),
  has_ipv4: simple(['string', 'string'], 'bool', 'apl.has_ipv4'),
  has_ipv4_prefix: simple(['string', 'string'], 'bool', 'apl.has_ipv4_prefix'),
  ipv4_compare: simple(
    ['string', 'string', 'long'],
    'long',
    (a, b, prefix) => sql`apl.sign(apl.ipv4_difference(${a}, ${b}, ${prefix}))`,
    wholeAddress,
  ),
  ipv4_is_in_any_range: inAnyRange('ipv4'),
  ipv4_is_in_range: simple(['string', 'string'], 'bool', 'apl.ipv4_in'),
  ipv4_is_match: simple(
    ['string', 'string', 'long'],
    'bool',
    (a, b, prefix) => sql`(apl.ipv4_difference(${a}, ${b}, ${prefix}) = 0)`,
    wholeAddress,
  ),
  ipv4_is_private: simple(['string'], 'bool', (s) => sql`(apl.ipv4_is_private(${s}))`),
  ipv4_netmask_suffix: simple(
    ['string'],
    'long',
    (s) => sql`CASE WHEN apl.ipv4_number(${s}) IS NOT NULL THEN apl.ipv4_prefix(${s}) END`,
  ),
  ipv6_compare: simple(['string', 'string', 'long'], 'long', 'apl.ipv6_compare', wholeAddress6),
  ipv6_is_in_any_range: inAnyRange('ipv6'),
  ipv6_is_in_range: simple(
    ['string', 'string'],
    'bool',
    (s, range) => sql`(apl.ipv6_in(${s}, ${range}))`,
  ),
  ipv6_is_match: simple(
    ['string', 'string', 'long'],
    'bool',
    (a, b, prefix) => sql`(apl.ipv6_compare(${a}, ${b}, ${prefix}) = 0)`,
    wholeAddress6,
  ),
  parse_ipv4: simple(['string'], 'long', 'apl.parse_ipv4'),
  parse_ipv4_mask: simple(['string', 'long'], 'long', 'apl.parse_ipv4_mask'),
} as const satisfies Readonly<Record<string, FunctionPlan>>;

/** Returns the prefix length in the call, by default the full address. */
function lengthOf(call: Call): Sql {
  const prefix = optionalAt(call, 1);
  return prefix === undefined ? sql`32` : as(prefix, 'long');
}

/** Formats an address, given as a number or a string, with the bits after the prefix cleared. */
function formatted(call: Call, prefix: Sql): Value {
  const of = at(call, 0);
  const known = scalarOf(of);
  const text = of.type === 'string' || typeof known === 'string';
  const number = text ? sql`apl.ipv4_number(${plainText(of)})` : as(of, 'long');
  const length = text ? networkLength(of, prefix) : prefix;
  return value(sql`coalesce(apl.format_ipv4(apl.ipv4_masked(${number}, ${length})), '')`, 'string');
}

/** Returns the shorter of the address's own prefix and the requested prefix. */
function networkLength(of: Value, prefix: Sql): Sql {
  return sql`apl.ipv4_shared(apl.ipv4_prefix(${plainText(of)}), ${prefix})`;
}

/** Plans the functions for series. Most call the macro of the same name. */
import * as print from '../sql.ts';
import { sql } from '../sql.ts';
import { arrayValue, as } from '../values.ts';
import { at, type FunctionPlan, simple } from './define.ts';

/** The SQL applied to every number `_x` of a series, by function. */
const unary = {
  series_abs: 'abs(_x)',
  series_acos: 'apl.acos(_x)',
  series_asin: 'apl.asin(_x)',
  series_atan: 'atan(_x)',
  series_ceiling: 'ceil(_x)',
  series_cos: 'apl.cos(_x)',
  series_exp: 'exp(_x)',
  series_floor: 'floor(_x)',
  series_log: 'apl.log(_x)',
  series_sign: 'CASE WHEN NOT isnan(_x) THEN sign(_x) END',
  series_sin: 'apl.sin(_x)',
  series_tan: 'apl.tan(_x)',
};

/** Functions that return timespans for a series of timespans. */
const sameUnit = new Set([
  'series_abs',
  'series_add',
  'series_ceiling',
  'series_floor',
  'series_max',
  'series_min',
  'series_subtract',
]);

/** The SQL applied to pairs `_p` of items from two series, by function. The result is as long as the shorter series. */
const shorter = {
  series_add: '_p[1] + _p[2]',
  series_divide: '_p[1] / _p[2]',
  series_max: 'greatest(_p[1], _p[2])',
  series_min: 'least(_p[1], _p[2])',
};

/** The SQL applied to pairs `_p` of items from two series, by function. The shorter series is padded with nulls. */
const longer = {
  series_multiply: '_p[1] * _p[2]',
  series_subtract: '_p[1] - _p[2]',
};

const comparisons = {
  series_equals: '=',
  series_not_equals: '<>',
  series_greater: '>',
  series_greater_equals: '>=',
  series_less: '<',
  series_less_equals: '<=',
};

const fills = {
  series_fill_backward: 'backward',
  series_fill_forward: 'forward',
  series_fill_linear: 'linear',
};

function named<Name extends string>(
  table: Readonly<Record<Name, string>>,
  parameters: readonly 'dynamic'[],
): Readonly<Record<Name, FunctionPlan>> {
  const names = Object.keys(table) as Name[];
  const plans = names.map((name) => [name, simple(parameters, 'array', `apl.${name}`)]);
  return Object.fromEntries(plans);
}

const one = ['dynamic'] as const;
const two = ['dynamic', 'dynamic'] as const;
const noSecond = { 1: sql`CAST(NULL AS JSON)` };

export const seriesFunctions = {
  ...named(unary, one),
  ...named(fills, one),
  ...named(shorter, two),
  ...named(longer, two),
  ...named(comparisons, two),
  series_cosine_similarity: simple(two, 'real', 'apl.series_cosine_similarity'),
  series_dot_product: simple(two, 'real', 'apl.series_dot_product'),
  series_fft: simple(two, 'array', 'apl.series_fft', noSecond),
  series_fill_const: simple(['dynamic', 'real'], 'array', 'apl.series_fill_const'),
  series_fir: simple(two, 'array', 'apl.series_fir'),
  series_ifft: simple(two, 'array', 'apl.series_ifft', noSecond),
  series_iir: simple(['dynamic', 'dynamic', 'dynamic'], 'array', 'apl.series_iir'),
  series_magnitude: simple(one, 'real', 'apl.series_magnitude'),
  series_pearson_correlation: simple(two, 'real', 'apl.series_pearson_correlation'),
  // As in other functions over two series, the second argument may also be a single number.
  series_pow: (call) => {
    const [series, power] = [as(at(call, 0), 'dynamic'), at(call, 1)];
    return power.type === 'dynamic'
      ? arrayValue(print.call('apl.series_powers', series, as(power, 'dynamic')))
      : arrayValue(print.call('apl.series_pow', series, as(power, 'real')));
  },
  series_stats: simple(one, 'array', (j) => sql`to_json(apl.series_stats(${j}))`),
  series_stats_dynamic: simple(one, 'map', 'apl.series_stats_dynamic'),
  series_sum: simple(one, 'real', 'apl.series_sum'),
} as const satisfies Readonly<Record<string, FunctionPlan>>;

const raw = String.raw;

function each(
  table: Readonly<Record<string, string>>,
  parameters: string,
  body: (item: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(table).map(([name, item]) => [`${name}(${parameters})`, body(item, name)]),
  );
}

/** Binds a value to a name, because repeating its SQL would make nested calls exponentially long. */
function once(value: string, name: string, body: string): string {
  return `list_transform([${value}], lambda ${name}: ${body})[1]`;
}

/**
 * Converts a list of numbers to a series. The items become timespans if `name` keeps the unit and an argument in `like`
 * contains timespans.
 */
function written(name: string, list: string, ...like: readonly string[]): string {
  if (!sameUnit.has(name)) return `apl.series(${list})`;
  const tests = like.map((argument) => `apl.is_timespans(${argument})`);
  return `apl.series_like(${list}, ${tests.join(' OR ')})`;
}

function pairwise(name: string, item: string, ends: 'shorter' | 'longer'): string {
  const pairs = `apl.series_pairs(_s.a, _s.b, ${ends === 'shorter'})`;
  const list = `list_transform(${pairs}, lambda _p: ${item})`;
  return once('{a: _a, b: _b}', '_s', written(name, list, '_s.a', '_s.b'));
}

/**
 * Macros over series. A series is an array of numbers, computed as a list of DOUBLE in which a null is a gap. Timespans
 * are computed in nanoseconds.
 */
export const seriesMacros: Readonly<Record<string, string>> = {
  'series_number(_j)': raw`coalesce(apl.json_real(_j), CAST(apl.json_timespan(_j) AS DOUBLE))`,
  'has_texts(_j)': raw`contains(CAST(_j AS VARCHAR), '"')`,
  // Converts an array in one cast, or item by item if it contains strings, which may be timespans.
  'numbers(_j)': once(
    '_j',
    '_array',
    raw`CASE WHEN json_type(_array) <> 'ARRAY' THEN NULL WHEN apl.has_texts(_array)
    THEN list_transform(apl.items(_array), lambda _item, _i: CASE WHEN apl.goes_on(_i) THEN apl.series_number(_item) END) ELSE TRY_CAST(_array AS DOUBLE[]) END`,
  ),
  'alone(_j)': once(
    '_j',
    '_array',
    raw`CASE WHEN json_type(_array) <> 'ARRAY' THEN apl.series_number(_array) END`,
  ),
  'repeated(_x, _list)': raw`CASE WHEN _x IS NOT NULL THEN list_transform(_list, lambda _y: _x) END`,
  'paired(_a, _b, _shorter)': raw`CASE WHEN _a IS NOT NULL AND _b IS NOT NULL THEN list_zip(_a, _b, _shorter) END`,
  'series_pairs(_a, _b, _shorter)': once(
    '{a: apl.numbers(_a), b: apl.numbers(_b), x: apl.alone(_a), y: apl.alone(_b)}',
    '_both',
    raw`apl.paired(coalesce(_both.a, apl.repeated(_both.x, _both.b)), coalesce(_both.b, apl.repeated(_both.y, _both.a)), _shorter)`,
  ),
  'series_length(_count, _most)': raw`CASE WHEN _count > _most THEN error('make-series would create ' || coalesce(CAST(TRY_CAST(_count AS BIGINT) AS VARCHAR), 'endlessly many') || ' steps. The maximum is ' || _most || '. Use a longer step or a shorter range.') ELSE TRY_CAST(greatest(coalesce(_count, 0), 0) AS BIGINT) END`,
  // NaN becomes a gap, as in the documentation of series_asin. Infinities are kept.
  'series_item(_x)': raw`CASE WHEN NOT isnan(_x) THEN apl.dynamic_real(_x) END`,
  'series(_list)': raw`to_json(list_transform(_list, lambda _x: apl.series_item(_x)))`,
  'is_timespans(_j)': raw`CASE WHEN apl.has_texts(_j) THEN len(list_filter(apl.flat(_j),
    lambda _item, _i: CASE WHEN apl.goes_on(_i) AND json_type(_item) = 'VARCHAR' AND apl.json_real(_item) IS NULL THEN apl.json_timespan(_item) IS NOT NULL END)) > 0 ELSE false END`,
  'series_like(_list, _timespans)': once(
    '{list: _list, timespans: _timespans}',
    '_r',
    raw`CASE WHEN _r.timespans THEN to_json(list_transform(_r.list, lambda _x: apl.format_timespan(apl.truncate_long(_x)))) ELSE apl.series(_r.list) END`,
  ),
  ...each(unary, '_j', (item, name) =>
    once('_j', '_s', written(name, `list_transform(apl.numbers(_s), lambda _x: ${item})`, '_s')),
  ),
  ...each(shorter, '_a, _b', (item, name) => pairwise(name, item, 'shorter')),
  ...each(longer, '_a, _b', (item, name) => pairwise(name, item, 'longer')),
  'series_powers(_a, _b)': pairwise('series_powers', 'apl.pow(_p[1], _p[2])', 'shorter'),
  ...each(
    comparisons,
    '_a, _b',
    (operator) =>
      raw`to_json(list_transform(apl.series_pairs(_a, _b, true), lambda _p: _p[1] ${operator} _p[2]))`,
  ),
  'series_pow(_j, _power)': raw`apl.series(list_transform(list_zip([apl.numbers(_j)], [_power]), lambda _s: list_transform(_s[1], lambda _x: apl.pow(_x, _s[2])))[1])`,
  'series_fill_const(_j, _value)': raw`list_transform(list_zip([_j], [_value]), lambda _s: apl.series_like(
    list_transform(list_zip([apl.numbers(_s[1])], [_s[2]]), lambda _f: list_transform(_f[1], lambda _x: coalesce(_x, _f[2])))[1], apl.is_timespans(_s[1])))[1]`,
  ...each(fills, '_j', (way) =>
    once(
      '_j',
      '_s',
      `apl.series_like(apl.filled(apl.numbers(_s), '${way}'), apl.is_timespans(_s))`,
    ),
  ),

  // ── Signal filters and transforms: a gap counts as 0 ──
  'samples(_j)': raw`list_transform(apl.numbers(_j), lambda _x: coalesce(_x, 0e0))`,
  // As in Kusto, a kernel without negative numbers computes a weighted average.
  'fir_gain(_kernel)': raw`CASE WHEN list_min(_kernel) >= 0 AND list_sum(_kernel) > 0 THEN list_sum(_kernel) ELSE 1e0 END`,
  'series_fir(_j, _kernel)': raw`apl.series(list_transform([{x: apl.samples(_j), kernel: apl.samples(_kernel)}], lambda _s: apl.fir(_s.x, _s.kernel, apl.fir_gain(_s.kernel)))[1])`,
  'series_iir(_j, _b, _a)': raw`apl.series(list_transform([{x: apl.samples(_j), b: apl.samples(_b), a: apl.samples(_a)}], lambda _s: apl.iir(_s.x, _s.b, _s.a))[1])`,
  'transform_parts(_both)': raw`CASE WHEN _both IS NOT NULL THEN json_array(
    apl.series(list_slice(_both, 1, len(_both) // 2)), apl.series(list_slice(_both, len(_both) // 2 + 1, len(_both)))) END`,
  'series_fft(_re, _im)': once(
    `apl.fourier(apl.samples(_re), apl.samples(_im), 'forward')`,
    '_both',
    'apl.transform_parts(_both)',
  ),
  'series_ifft(_re, _im)': once(
    `apl.fourier(apl.samples(_re), apl.samples(_im), 'inverse')`,
    '_both',
    'apl.transform_parts(_both)',
  ),

  // ── Series to scalar ──
  'dot(_a, _b)': raw`list_sum(list_transform(list_zip(_a, _b, true), lambda _p: _p[1] * _p[2]))`,
  'series_dot_product(_a, _b)': raw`apl.dot(apl.numbers(_a), apl.numbers(_b))`,
  'magnitude(_list)': raw`sqrt(apl.dot(_list, _list))`,
  'series_magnitude(_j)': once('apl.numbers(_j)', '_list', 'apl.magnitude(_list)'),
  'series_sum(_j)': once(
    'apl.numbers(_j)',
    '_list',
    'coalesce(list_sum(_list), CASE WHEN _list IS NOT NULL THEN 0e0 END)',
  ),
  'series_cosine_similarity(_a, _b)': once(
    '{a: apl.numbers(_a), b: apl.numbers(_b)}',
    '_s',
    'apl.dot(_s.a, _s.b) / (apl.magnitude(_s.a) * apl.magnitude(_s.b))',
  ),
  'centred(_list)': once(
    '{list: _list, mean: list_avg(_list)}',
    '_m',
    'list_transform(_m.list, lambda _x: _x - _m.mean)',
  ),
  'correlation(_a, _b)': raw`apl.dot(_a, _b) / sqrt(apl.dot(_a, _a) * apl.dot(_b, _b))`,
  'series_pearson_correlation(_a, _b)': once(
    '{a: apl.numbers(_a), b: apl.numbers(_b)}',
    '_s',
    `CASE WHEN len(_s.a) = len(_s.b) THEN ${once('{a: apl.centred(_s.a), b: apl.centred(_s.b)}', '_c', 'apl.correlation(_c.a, _c.b)')} END`,
  ),
  'place_of(_list, _x)': raw`CASE WHEN _x IS NOT NULL THEN list_position(_list, _x) - 1 END`,
  // list_var_samp isn't used, because it fails the query if a square overflows.
  'series_variance(_list)': `CASE WHEN list_count(_list) > 1 THEN ${once('apl.centred(_list)', '_c', 'apl.dot(_c, _c)')} / (list_count(_list) - 1) ELSE 0e0 END`,
  'series_stats_of(_list)': raw`{
    min: apl.series_item(list_min(_list)), min_idx: apl.place_of(_list, list_min(_list)),
    max: apl.series_item(list_max(_list)), max_idx: apl.place_of(_list, list_max(_list)),
    avg: apl.series_item(list_avg(_list)), sum: apl.series_item(coalesce(list_sum(_list), 0e0)), len: len(_list),
    variance: apl.series_item(apl.series_variance(_list)), stdev: apl.series_item(sqrt(apl.series_variance(_list)))}`,
  'series_stats_dynamic(_j)': once(
    'apl.numbers(_j)',
    '_list',
    'CASE WHEN _list IS NOT NULL THEN to_json(apl.series_stats_of(_list)) END',
  ),
  'series_stats(_j)': once(
    'apl.series_stats_dynamic(_j)',
    '_stats',
    "CASE WHEN _stats IS NOT NULL THEN json_extract(_stats, ['/min', '/min_idx', '/max', '/max_idx', '/avg', '/variance', '/stdev']) END",
  ),
};

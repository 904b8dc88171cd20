/** Functions over series. Each is a macro of the same name. */
import * as print from '../sql.ts';
import { sql } from '../sql.ts';
import { arrayValue, as } from '../values.ts';
import { at, custom, type FunctionPlan, simple } from './define.ts';

const one = (name: string) => simple(['dynamic'], 'array', `apl.${name}`);
const two = (name: string) => simple(['dynamic', 'dynamic'], 'array', `apl.${name}`);
const noSecond = { 1: sql`CAST(NULL AS JSON)` };

export const seriesFunctions = {
  series_abs: one('series_abs'),
  series_acos: one('series_acos'),
  series_add: two('series_add'),
  series_asin: one('series_asin'),
  series_atan: one('series_atan'),
  series_ceiling: one('series_ceiling'),
  series_cos: one('series_cos'),
  series_cosine_similarity: simple(['dynamic', 'dynamic'], 'real', 'apl.series_cosine_similarity'),
  series_divide: two('series_divide'),
  series_dot_product: simple(['dynamic', 'dynamic'], 'real', 'apl.series_dot_product'),
  series_equals: two('series_equals'),
  series_exp: one('series_exp'),
  series_fft: simple(['dynamic', 'dynamic'], 'array', 'apl.series_fft', noSecond),
  series_fill_backward: one('series_fill_backward'),
  series_fill_const: simple(['dynamic', 'real'], 'array', 'apl.series_fill_const'),
  series_fill_forward: one('series_fill_forward'),
  series_fill_linear: one('series_fill_linear'),
  series_fir: two('series_fir'),
  series_floor: one('series_floor'),
  series_greater: two('series_greater'),
  series_greater_equals: two('series_greater_equals'),
  series_ifft: simple(['dynamic', 'dynamic'], 'array', 'apl.series_ifft', noSecond),
  series_iir: simple(['dynamic', 'dynamic', 'dynamic'], 'array', 'apl.series_iir'),
  series_less: two('series_less'),
  series_less_equals: two('series_less_equals'),
  series_log: one('series_log'),
  series_magnitude: simple(['dynamic'], 'real', 'apl.series_magnitude'),
  series_max: two('series_max'),
  series_min: two('series_min'),
  series_multiply: two('series_multiply'),
  series_not_equals: two('series_not_equals'),
  series_pearson_correlation: simple(
    ['dynamic', 'dynamic'],
    'real',
    'apl.series_pearson_correlation',
  ),
  // The power may also be a series, as in the other functions of two series.
  series_pow: custom((call) => {
    const [series, power] = [as(at(call, 0), 'dynamic'), at(call, 1)];
    return power.type === 'dynamic'
      ? arrayValue(print.call('apl.series_powers', series, as(power, 'dynamic')))
      : arrayValue(print.call('apl.series_pow', series, as(power, 'real')));
  }),
  series_sign: one('series_sign'),
  series_sin: one('series_sin'),
  series_stats: simple(['dynamic'], 'array', (j) => sql`to_json(apl.series_stats(${j}))`),
  series_stats_dynamic: simple(['dynamic'], 'map', 'apl.series_stats_dynamic'),
  series_subtract: two('series_subtract'),
  series_sum: simple(['dynamic'], 'real', 'apl.series_sum'),
  series_tan: one('series_tan'),
} as const satisfies Readonly<Record<string, FunctionPlan>>;

/** Maps names from Kusto, SQL and Splunk to APL names. */
import type { ProblemCode } from '../problems.ts';

/** Foreign names separated by spaces, and their APL replacement or a sentence of advice. */
type Row = readonly [names: string, advice: string];

const operatorRenames: readonly Row[] = [
  ['eval', 'extend'],
  ['fields', 'project-keep'],
  ['filter having', 'where'],
  ['head', 'take'],
  ['mvexpand unroll', 'mv-expand'],
  ['orderby', 'order by'],
  ['parsekv', 'parse-kv'],
  ['rename', 'project-rename'],
  ['sortby', 'sort by'],
  ['stats', 'summarize'],
];

const operatorAdvice: readonly Row[] = [
  ['as', 'Use a let statement to name a table.'],
  ['assert-schema', 'Use project with conversions such as todatetime() and tolong().'],
  ['chart group groupby', 'Use summarize … by.'],
  ['consume execute-and-cache', 'Remove it.'],
  ['dedup', 'Use distinct, or summarize with arg_max(_time, *) by the columns.'],
  [
    'evaluate',
    'APL has no plugins. Instead of bag_unpack, access properties; instead of pivot, use summarize with countif().',
  ],
  ['facet', 'Run a summarize for each column.'],
  ['fillnull', 'Use extend with coalesce().'],
  ['find', 'Use search, or union with where.'],
  ['fork', 'Run the queries separately, or combine them with union.'],
  ['from', 'Start the query with the name of a dataset.'],
  ['graph-mark-components graph-match graph-shortest-paths graph-to-table make-graph', 'Use join.'],
  ['graph-where-edges graph-where-nodes', 'Use join, then where.'],
  ['having', 'Use where after summarize.'],
  ['invoke', 'APL does not support user-defined functions. Write out the stages.'],
  ['macro-expand', 'Use union of the datasets.'],
  ['mv-apply mvapply', 'Use mv-expand, then where and summarize.'],
  ['partition', 'Use summarize … by column.'],
  ['project-by-names', 'Use project-keep, which supports wildcards.'],
  ['project-smart select', 'Use project.'],
  ['range', 'Use print with the function range(), then mv-expand.'],
  ['reduce', 'Use summarize with phrases() or topk().'],
  ['render', 'Remove it. A query does not define how its result is displayed.'],
  ['replace', 'Use extend with replace_string() or replace_regex().'],
  ['rex', 'Use parse kind=regex, or extend with extract().'],
  ['sample-distinct', 'Use distinct, then take.'],
  ['scan', 'Use sort and summarize with make_list().'],
  ['serialize', 'Use sort.'],
  ['spath', 'Use extend with parse_json().'],
  ['tail', 'Use sort by _time asc, then take.'],
  ['timechart', 'Use summarize … by bin_auto(_time).'],
  ['timeslice', 'Use summarize … by bin(_time, …).'],
  ['top-hitters', 'Use summarize with topk().'],
  ['top-nested', 'Use summarize by the columns, then top.'],
  ['transaction', 'Use summarize … by the column that identifies a transaction.'],
];

const functionRenames: readonly Row[] = [
  ['approx_count_distinct count_distinct dc uniq', 'dcount'],
  ['argmax', 'arg_max'],
  ['argmin', 'arg_min'],
  ['array_strcat', 'strcat_array'],
  ['arraylength', 'array_length'],
  ['avg_if', 'avgif'],
  ['base64_decodestring', 'base64_decode_tostring'],
  ['base64_encodestring', 'base64_encode_tostring'],
  ['ceil', 'ceiling'],
  ['char_length', 'strlen'],
  ['columnifexists', 'column_ifexists'],
  ['concat', 'strcat'],
  ['count_distinctif dcount_if hll_if', 'dcountif'],
  ['count_if', 'countif'],
  ['current_timestamp', 'now'],
  ['date_add dateadd', 'datetime_add'],
  ['date_diff datediff', 'datetime_diff'],
  ['datepart', 'datetime_part'],
  ['day day_of_month', 'dayofmonth'],
  ['day_of_week', 'dayofweek'],
  ['day_of_year', 'dayofyear'],
  ['greatest', 'max_of'],
  ['hash_xxhash64', 'hash'],
  ['hour', 'hourofday'],
  ['if', 'iff'],
  ['ifnull nvl', 'coalesce'],
  ['instr', 'indexof'],
  ['isnotblank notempty', 'isnotempty'],
  ['json_parse parsejson', 'parse_json'],
  ['least', 'min_of'],
  ['lower', 'tolower'],
  ['make_list_with_nulls makelist', 'make_list'],
  ['makeset values', 'make_set'],
  ['md5', 'hash_md5'],
  ['mean', 'avg'],
  ['month', 'getmonth'],
  ['notnull', 'isnotnull'],
  ['parsecsv', 'parse_csv'],
  ['parsepath', 'parse_path'],
  ['parseurl', 'parse_url'],
  ['parseurlquery', 'parse_urlquery'],
  ['power', 'pow'],
  ['sha1', 'hash_sha1'],
  ['sha256', 'hash_sha256'],
  ['std stddev', 'stdev'],
  ['substr', 'substring'],
  ['sum_if', 'sumif'],
  ['to_date to_timestamp todate', 'todatetime'],
  ['to_json', 'dynamic_to_json'],
  ['to_string toguid', 'tostring'],
  ['to_utf8', 'unicode_codepoints_from_string'],
  ['toboolean', 'tobool'],
  ['todecimal tofloat to_number tonumber', 'toreal'],
  ['toobject', 'todynamic'],
  ['totime', 'totimespan'],
  ['upper', 'toupper'],
  ['url_encode_component', 'url_encode'],
  ['weekofyear', 'week_of_year'],
  ['year', 'getyear'],
];

const functionAdvice: readonly Row[] = [
  ['any take_any', 'Use max(), or make_list(x, 1)[0].'],
  ['anyif take_anyif', 'Use maxif(), or make_list_if(x, condition)[0].'],
  ['around', 'Use between (value - delta .. value + delta).'],
  ['assert', 'Use where to filter out invalid rows.'],
  ['autocluster', 'Use spotlight() or phrases() in a summarize.'],
  ['bag_merge bag_set_key', 'Use bag_pack() with the keys of both.'],
  ['bag_pack_columns', 'Use bag_pack() with the names of the columns.'],
  ['bag_remove_keys', 'Use bag_pack() with the keys to keep.'],
  ['bag_unpack', 'Access the properties, as in extend city = geo.city.'],
  ['base64_decode_toguid', 'Use base64_decode_tostring().'],
  ['base64_encode_fromguid', 'Use base64_encode_tostring().'],
  ['basket', 'Use summarize … by the columns, then top.'],
  [
    'beta_cdf beta_inv beta_pdf erf erfc ipv4_range_to_cidr_list punycode_from_string punycode_to_string series_decompose series_decompose_forecast series_fit_2lines series_fit_2lines_dynamic series_fit_line series_fit_line_dynamic series_fit_poly series_outliers series_seasonal welch_test',
    'There is no equivalent.',
  ],
  ['bin_at', 'Shift the value: bin(x - start, size) + start.'],
  [
    'binary_all_and binary_all_or binary_all_xor binary_and binary_not binary_or binary_xor bitset_count_ones',
    'APL has no bitwise operations.',
  ],
  ['binary_shift_left', 'Multiply by pow(2, bits).'],
  ['binary_shift_right', 'Divide by pow(2, bits).'],
  ['buildschema', 'Use getschema.'],
  ['cast convert', 'Use tostring(), tolong(), toreal(), tobool() or todatetime().'],
  ['charindex position', 'Use indexof().'],
  ['cluster', 'Use the name of the dataset. A query cannot read from another deployment.'],
  ['convert_angle', 'Use degrees() or radians().'],
  [
    'convert_energy convert_force convert_length convert_mass convert_speed convert_volume',
    'Multiply by the conversion factor.',
  ],
  ['convert_temperature', 'Compute it, as in celsius * 1.8 + 32.'],
  [
    'covariance covarianceif covariancep',
    'There is no equivalent. For arrays, use series_pearson_correlation().',
  ],
  ['current_cluster_endpoint current_database', 'A query cannot read where it runs.'],
  ['current_principal', 'A query cannot read who runs it.'],
  ['cursor_after cursor_before_or_at', 'Compare _time, or pass a cursor in the request.'],
  ['database', 'Use the name of the dataset. APL has no databases.'],
  ['date_trunc', 'Use bin(), startofday(), startofweek(), startofmonth() or startofyear().'],
  [
    'datetime_list_timezones datetime_utc_to_local',
    'All times are in UTC. Add the offset as a timespan.',
  ],
  ['datetime_local_to_utc', 'All times are in UTC. Subtract the offset as a timespan.'],
  ['dcount_hll hll hll_merge', 'Use dcount().'],
  ['diffpatterns', 'Use spotlight() in a summarize.'],
  ['endswith', 'Use the operator: value endswith "end".'],
  ['estimate_data_size', 'Use string_size() of a string.'],
  ['extent_id extent_tags', 'APL has no extents.'],
  ['external_table', 'Use externaldata.'],
  [
    'extract_json extractjson get_json_object json_extract',
    'Use parse_json(), then access the property.',
  ],
  ['first', 'Use arg_min(_time, x).'],
  ['format_datetime', 'Use datetime_part(), or tostring().'],
  ['format_timespan', 'Use tostring().'],
  [
    'geo_distance_2points',
    'APL has no geospatial functions. Compute the distance with sin(), cos() and acos().',
  ],
  [
    'geo_point_in_circle',
    'APL has no geospatial functions. Compute the distance with sin(), cos() and acos().',
  ],
  [
    'geo_point_in_polygon',
    'APL has no geospatial functions. Compare latitude and longitude with between.',
  ],
  [
    'geo_point_to_geohash geo_point_to_h3cell geo_point_to_s2cell',
    'APL has no geospatial functions. Group by bin() of latitude and longitude.',
  ],
  ['group_concat', 'Use strcat_array() of make_list().'],
  [
    'gzip_compress_to_base64_string gzip_decompress_from_base64_string zlib_compress_to_base64_string zlib_decompress_from_base64_string',
    'APL has no compression functions.',
  ],
  ['has_all', 'Use one has for each term, combined with and.'],
  ['has_any', 'Use the operator: value has_any ("a", "b").'],
  ['has_any_index', 'Use has_any, or indexof() for each term.'],
  ['hash_combine hash_many', 'Use hash() of strcat().'],
  ['ipv4_lookup', 'Use lookup with a dataset of addresses.'],
  ['jaccard_index', 'Use set_intersect() and set_union() with array_length().'],
  ['lag lead next prev', 'Use summarize with make_list(), then index the array.'],
  ['last', 'Use arg_max(_time, x).'],
  ['length', 'Use strlen() for strings and array_length() for arrays.'],
  ['ltrim', 'Use trim_start().'],
  ['make_bag', 'Use bag_pack(), or make_list() of bag_pack().'],
  ['make_bag_if', 'Use make_list_if() of bag_pack().'],
  ['make_datetime', 'Use a literal such as datetime(2025-01-31).'],
  ['make_timespan', 'Use a literal such as 90m.'],
  ['materialize', 'Remove it. A let statement names a table.'],
  ['materialized_view stored_query_result', 'Use the name of the view.'],
  ['median p50', 'Use percentile(x, 50).'],
  [
    'merge_tdigest percentile_tdigest percentrank_tdigest rank_tdigest tdigest tdigest_merge',
    'Use percentile().',
  ],
  ['minute', "Use datetime_part('minute', …)."],
  ['mod', 'Use the % operator.'],
  ['new_guid', 'APL has no functions that create identifiers.'],
  ['nullif', 'Use iff().'],
  ['p75', 'Use percentile(x, 75).'],
  ['p90', 'Use percentile(x, 90).'],
  ['p95', 'Use percentile(x, 95).'],
  ['p99', 'Use percentile(x, 99).'],
  ['pack_all', 'Use pack(*).'],
  ['parse_command_line', 'Use split() or extract_all().'],
  ['parse_ipv6', 'Compare with ipv6_compare() or ipv6_is_in_range().'],
  ['parse_ipv6_mask', 'Compare with ipv6_is_match().'],
  ['parse_user_agent parse_xml', 'Use extract() or parse.'],
  ['parse_version', "Use split() on '.'."],
  ['percentile_array_tdigest', 'Use percentiles_array().'],
  ['percentiles', 'Use one percentile() for each, or percentiles_array().'],
  ['percentilesw percentilesw_array', 'Use percentiles_array(). APL does not support weights.'],
  ['percentilew', 'Use percentile(). APL does not support weights.'],
  ['pivot', 'Use summarize with one countif() for each value.'],
  ['regexp_extract', 'Use extract().'],
  ['regexp_like', 'Use the operator: value matches regex "pattern".'],
  ['regexp_replace', 'Use replace_regex().'],
  ['repeat', 'Use strrep() for strings.'],
  ['replace_strings', 'Use one replace_string() for each.'],
  ['row_cumsum row_number', 'Use summarize with make_list(). APL has no window functions.'],
  ['row_rank_dense row_rank_min row_window_session', 'APL has no window functions.'],
  ['rtrim', 'Use trim_end().'],
  ['second', "Use datetime_part('second', …)."],
  ['sequence_detect', 'Use join, then compare the times.'],
  ['series_decompose_anomalies', 'Use an anomaly monitor, or spotlight().'],
  ['series_periods_detect series_periods_validate', 'Use series_fft().'],
  ['set_equals', 'Compare array_length() of set_difference() with 0 in both directions.'],
  ['startswith', 'Use the operator: value startswith "start".'],
  ['stdevp', 'Use stdev().'],
  ['stdevpif', 'Use stdevif().'],
  ['str_replace', 'Use replace_string().'],
  ['to_number tonumber', 'Use toreal() or tolong().'],
  ['toguid', 'Use tostring(). APL has no guid type.'],
  ['toscalar', 'Compare with a subquery: x in (table | project y).'],
  ['treepath', 'Use bag_keys().'],
  ['trunc', 'Use floor().'],
  ['variancep', 'Use variance().'],
  ['variancepif', 'Use varianceif().'],
  ['zip', 'Use bag_zip().'],
];

const scalarOperatorRenames: readonly Row[] = [
  ['containscs', 'contains_cs'],
  ['notcontains', '!contains'],
  ['notcontains_cs', '!contains_cs'],
];

const scalarOperatorAdvice: readonly Row[] = [
  ['!between', 'Use not(x between (a .. b)).'],
  ['!has_all', 'Use not(…) around one has for each term, combined with and.'],
  ['!has_any', 'Use not(x has_any (…)).'],
  ['!has_any_cs', 'Use not(x has_any_cs (…)).'],
  ['!ilike !like', 'Use !contains, !startswith or !matches regex.'],
  ['has_all', 'Use one has for each term, combined with and.'],
  ['hasprefix_any', 'Use one hasprefix for each term, combined with or.'],
  ['ilike like', 'Use contains, startswith or matches regex.'],
  ['like_cs', 'Use contains_cs, startswith_cs or matches regex.'],
  ['notlike', 'Use !contains, or not(x matches regex "…").'],
];

/** Functions whose arguments differ between Kusto and APL. */
const argumentAdvice: readonly Row[] = [
  ['array_sort_asc array_sort_desc', 'It sorts a single array.'],
  ['bin_auto', 'The time range of the query determines the bin size. Use bin() to choose one.'],
  ['count', 'To count the rows that match a condition, use countif().'],
  ['dcount dcountif', 'The accuracy is not configurable.'],
  ['hash', 'To hash several values, concatenate them with strcat().'],
  ['make_list_if', 'It does not accept a limit.'],
  ['percentile', 'For several percentiles, use percentiles_array().'],
  ['range', 'It returns an array. Use mv-expand to get rows.'],
  ['split', 'Index the result for a single part, as in split(value, ",")[0].'],
  [
    'trim trim_end trim_start',
    'The characters to remove come first. For white space, use trim_space().',
  ],
];

function each(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap(([names, advice]) => names.split(' ').map((name) => [name, advice])));
}

const operators = each(operatorRenames);
const functions = each(functionRenames);
const scalarOperators = each(scalarOperatorRenames);

/** Maps each name to its advice. By default, the advice is to use the replacement. */
function instead(
  renamed: ReadonlyMap<string, string>,
  advice: readonly Row[],
  brackets = '',
): ReadonlyMap<string, string> {
  const used = [...renamed].map(([name, other]) => [name, `Use ${other}${brackets}.`] as const);
  return new Map([...used, ...each(advice)]);
}

export const kustoArguments = each(argumentAdvice);
export const kustoOperators = instead(operators, operatorAdvice);
export const kustoFunctions = instead(functions, functionAdvice, '()');
export const kustoScalarOperators = instead(scalarOperators, scalarOperatorAdvice);

/** Returns the APL replacements of the names that are reported with `code`. */
export function kustoRenames(code: ProblemCode): ReadonlyMap<string, string> {
  return renames[code] ?? none;
}

const none: ReadonlyMap<string, string> = new Map();

const renames: Partial<Record<ProblemCode, ReadonlyMap<string, string>>> = {
  'kusto-operator': operators,
  'kusto-function': functions,
  'kusto-scalar-operator': scalarOperators,
};

/** Returns what to use in APL in place of an operator, function or scalar operator of Kusto. */
export function kustoAdvice(name: string): string | undefined {
  return kustoOperators.get(name) ?? kustoFunctions.get(name) ?? kustoScalarOperators.get(name);
}

/** Kusto tables' usual names of the event time, in lower case. */
const timeColumns: ReadonlySet<string> = new Set([
  'timestamp',
  'timegenerated',
  'eventtime',
  'env_time',
]);

/** Returns whether queries for Kusto use a name for the time of an event, which is `_time` in APL. */
export function isKustoTime(name: string): boolean {
  return timeColumns.has(name.toLowerCase());
}

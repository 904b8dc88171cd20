// The guide: APL for one who knows Kusto. A test runs every query in it.

export const guide = `# APL for those who know Kusto

APL looks like Kusto (KQL), but differs. Work in this order: list_datasets, get_fields, check_query, run_query.

## Names and source

A query starts with a dataset. A name with other characters than letters, digits and _ goes in brackets and quotes:

\`\`\`apl
['http-logs']
| where status >= 500
| take 10
\`\`\`

Field names are case-sensitive. A dotted field such as geo.country is one name, in brackets and quotes: ['geo.country']. The event time is _time, never Timestamp or TimeGenerated.

## Time range

Every run has a range, by default the last hour, or the one that the conditions on _time state. Set from and to, such as now-7d and now, in place of a condition. Without an aggregate or a limit, a range above a day is refused.

\`\`\`apl
['http-logs']
| where _time > ago(30m)
| summarize requests = count() by method
\`\`\`

## Aggregation

count() is the aggregate, count the operator. Without a name, results are called count_, avg_duration and so on: name them. For a time series use bin_auto(_time), or bin(_time, 5m) for a fixed width.

\`\`\`apl
['http-logs']
| summarize requests = count(), errors = countif(status >= 500) by bin_auto(_time)
\`\`\`

\`\`\`apl
['http-logs']
| summarize p50 = percentile(req_duration_ms, 50), p95 = percentile(req_duration_ms, 95), paths = dcount(uri)
\`\`\`

\`\`\`apl
['http-logs']
| summarize requests = count() by ['geo.country']
| top 5 by requests
\`\`\`

The latest event of each group:

\`\`\`apl
['http-logs']
| summarize arg_max(_time, status) by method
\`\`\`

sort is descending by default; write asc for the other order. Equality is ==; =~ ignores case. has finds whole words and contains parts, both without case; has_cs and contains_cs respect case.

\`\`\`apl
['http-logs']
| where uri has "api" and method in ("GET", "POST")
| project _time, uri, seconds = req_duration_ms / 1000
| sort by seconds
| take 20
\`\`\`

## What Kusto has and APL does not

| Kusto | APL |
| --- | --- |
| T, Table | ['table-name'] |
| Timestamp, TimeGenerated | _time |
| percentiles(x, 50, 95) | p50 = percentile(x, 50), p95 = percentile(x, 95) |
| take_any(a), take_any(a, b) | max(a), arg_max(a, b) |
| render timechart, serialize | remove it; summarize … by bin_auto(_time) |
| tail 10, top-nested | sort by _time asc, then take 10; two summarize |
| mv-apply, partition, scan, invoke | mv-expand; summarize … by |
| evaluate bag_unpack(d), pivot(c) | d.key or d["key"]; countif() for each value |
| row_number(), prev(), next() | not available: sort, make_list() |
| toscalar(Q) | x in (Q) |
| x !between (a .. b), x !has_any (…) | not(x between (a .. b)), not(x has_any (…)) |
| x has_all ("a", "b") | x has "a" and x has "b" |
| x startswith_cs, !startswith | the same |
| union A, B | union ['a'], ['b'] |
| join kind=leftanti | where not(x in (['b'] \\| project x)) |
| let f = (x: long) { … } | write the body where it is called; let of a value or a table works |
| let T = A \\| where …; T | let t = ['a'] \\| where …; t |
| format_datetime(t, "HH:mm") | substring(tostring(t), 11, 5), or datetime_part("hour", t) |

\`\`\`apl
let slow = 500;
['http-logs']
| where req_duration_ms > slow and not(status between (200 .. 299))
| extend kind = case(status >= 500, "server", status >= 400, "client", "other")
| summarize requests = count() by kind
\`\`\`

\`\`\`apl
['http-logs']
| extend parts = split(uri, "/")
| mv-expand part = parts
| summarize uses = count() by tostring(part)
| top 5 by uses
\`\`\`

## Cost

Filter first, on _time and selective fields. Aggregate on the service; do not read events to count them yourself. Look at run_to_stage where a query returns no rows.
`;

// Six short queries over the sample data. Put the cursor in one and press Shift+Enter, or click Run.
// A blank line ends a query. The time range is at the lower right, in the status bar.

// 1. How slow are requests, and how often do they fail?
['sample-http-logs']
| summarize
    requests = count(),
    errors = countif(status >= 500),
    p95_ms = percentile(req_duration_ms, 95)
    by method, host
| extend errors_percent = round(100.0 * errors / requests, 1)
| order by p95_ms desc

// 2. Requests by status over time: the 503s are a short outage.
['sample-http-logs']
| summarize requests = count() by bin_auto(_time), status

// 3. The latest slow failures. What was nested has a dotted name, which is quoted.
['sample-http-logs']
| where status >= 500 and req_duration_ms > 1000
| project _time, uri, status, req_duration_ms, ['geo.city'], trace_id
| top 20 by _time

// 4. Which services fail? A span's duration is in nanoseconds.
['sample-traces']
| extend ms = duration / 1000000.0
| summarize spans = count(), failed = countif(error), slowest_ms = max(ms) by ['service.name']
| order by failed desc

// 5. What do the applications say about it?
['sample-app-logs']
| where severity == "error" and message has "charge"
| project _time, service, message, attempt
| limit 50

// 6. Which fields does a dataset have, and of which types?
['sample-http-logs']
| getschema

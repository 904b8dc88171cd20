// The kinds of sample data to choose from, each with a suggested dataset and a query that shows its content. In a
// query, `{dataset}` is the quoted name.
import type { SampleKind } from './settings.ts';

export interface SampleChoice {
  readonly kind: SampleKind;
  readonly label: string;
  readonly detail: string;
  readonly dataset: string;
  readonly query: string;
}

export const sampleChoices: readonly SampleChoice[] = [
  {
    kind: 'http-logs',
    label: 'HTTP logs',
    detail: 'Requests to a shop: method, URI, status, duration, place and user agent of the client',
    dataset: 'generated-http-logs',
    query: `// Requests and errors over time: the peaks of 5xx are incidents.
{dataset}
| summarize
    requests = count(),
    errors = countif(status >= 500),
    p95_ms = percentile(req_duration_ms, 95)
    by bin_auto(_time)`,
  },
  {
    kind: 'app-logs',
    label: 'Application logs',
    detail:
      'Messages of five services with nested fields: context, Kubernetes, errors with a stack',
    dataset: 'generated-app-logs',
    query: `// Errors by service over time.
{dataset}
| where severity == "error"
| summarize errors = count() by bin_auto(_time), service`,
  },
  {
    kind: 'traces',
    label: 'Traces',
    detail: 'Spans of eight services with their parents, durations, errors and attributes',
    dataset: 'generated-traces',
    query: `// How long the spans of each service take over time. A duration is in nanoseconds.
{dataset}
| summarize p95_ms = percentile(duration / 1000000.0, 95) by bin_auto(_time), ['service.name']`,
  },
  {
    kind: 'metrics',
    label: 'Metrics',
    detail: 'Gauges and counters of hosts, measured at a fixed interval',
    dataset: 'generated-metrics',
    query: `// The load of the hosts by role.
{dataset}
| summarize cpu = avg(cpu_percent), most = max(cpu_percent) by bin_auto(_time), role`,
  },
];

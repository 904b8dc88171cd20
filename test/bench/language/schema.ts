/** The datasets that both language services know while they are measured: the playground's logs and traces. */
import type { Schema } from '../../../language/src/index.ts';

const fields = (list: Readonly<Record<string, string>>) =>
  Object.entries(list).map(([name, type]) => ({ name, type }));

export const schema: Schema = {
  complete: false,
  datasets: [
    {
      name: 'sample-http-logs',
      fields: fields({
        _time: 'datetime',
        _sysTime: 'datetime',
        content_type: 'string',
        'geo.city': 'string',
        'geo.country': 'string',
        id: 'string',
        is_tls: 'boolean',
        message: 'string',
        method: 'string',
        req_duration_ms: 'float',
        resp_body_size_bytes: 'integer',
        resp_header_size_bytes: 'integer',
        server_datacenter: 'string',
        status: 'string',
        uri: 'string',
        user_agent: 'string',
      }),
    },
    {
      name: 'otel-demo-traces',
      fields: fields({
        _time: 'datetime',
        _sysTime: 'datetime',
        'attributes.http.route': 'string',
        'attributes.http.status_code': 'integer',
        duration: 'timespan',
        error: 'boolean',
        kind: 'string',
        name: 'string',
        parent_span_id: 'string',
        'resource.host.name': 'string',
        scope: 'string',
        'service.name': 'string',
        'service.version': 'string',
        span_id: 'string',
        status_code: 'string',
        trace_id: 'string',
      }),
    },
  ],
};

/** The types of the schema as Kusto calls them. */
export const kustoTypes: Readonly<Record<string, string>> = {
  boolean: 'bool',
  datetime: 'datetime',
  float: 'real',
  integer: 'long',
  string: 'string',
  timespan: 'timespan',
};

/**
 * Converts spans to events. Field names are from the hosted service's documentation of traces and from
 * `skills/axiom-apl/references/otel.md` of its command line.
 */
import type { Addition } from '../store/datasetRecords.ts';
import { formatNanos } from '../time.ts';
import {
  addAttributes,
  attributesJson,
  COMMON_FIELDS,
  type EventLines,
  integerJson,
  Members,
  sharedMembers,
  stringJson,
} from './eventJson.ts';
import type { Resource, Scope, Span } from './messages.ts';

export interface TraceRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: Resource;
    readonly scopeSpans?: readonly {
      readonly scope?: Scope;
      readonly spans?: readonly Span[];
    }[];
  }[];
}

/** Fields that every dataset of traces has from the start. Many spans lack some of them, such as the status. */
export const SPAN_FIELDS: readonly Addition[] = [
  ...COMMON_FIELDS,
  { field: 'parent_span_id', type: 'string' },
  { field: 'name', type: 'string' },
  { field: 'kind', type: 'string' },
  { field: 'duration', type: 'integer' },
  { field: 'error', type: 'boolean' },
  { field: 'status.code', type: 'string' },
  { field: 'status.message', type: 'string' },
  { field: 'events', type: 'array' },
  { field: 'links', type: 'array' },
];

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const STATUS_CODES = [undefined, 'OK', 'ERROR'] as const;
const ERROR_CODE = 2;

export function addSpans({ resourceSpans = [] }: TraceRequest, to: EventLines): void {
  for (const { resource, scopeSpans = [] } of resourceSpans) {
    for (const { scope, spans = [] } of scopeSpans) {
      if (spans.length === 0) continue;
      const shared = sharedMembers(resource, scope);
      for (const span of spans) to.add(membersOf(span), shared);
    }
  }
}

function membersOf(span: Span): Members {
  const { startTimeUnixNano: start = 0n, endTimeUnixNano: end = 0n, status } = span;
  const members = new Members();
  // If `_time` is absent, ingest sets it to the time of the request.
  if (start !== 0n) members.add('_time', `"${formatNanos(start)}"`);
  members.add('trace_id', stringJson(span.traceId));
  members.add('span_id', stringJson(span.spanId));
  members.add('parent_span_id', stringJson(span.parentSpanId));
  members.add('trace_state', stringJson(span.traceState));
  members.add('name', JSON.stringify(span.name ?? ''));
  members.add('kind', stringJson(KINDS[span.kind ?? 0] ?? 'unspecified'));
  if (start !== 0n && end !== 0n) members.add('duration', integerJson(end - start));
  members.add('status.code', stringJson(STATUS_CODES[status?.code ?? 0]));
  members.add('status.message', stringJson(status?.message));
  members.add('error', String(status?.code === ERROR_CODE));
  members.add('events', eventsJson(span));
  members.add('links', linksJson(span));
  addAttributes(members, span.attributes);
  return members;
}

function eventsJson({ events = [] }: Span): string | undefined {
  if (events.length === 0) return undefined;
  const objects = events.map(({ name, timeUnixNano, attributes }) => {
    const members = new Members();
    members.add('name', JSON.stringify(name ?? ''));
    members.add('timestamp', integerJson(timeUnixNano));
    members.add('attributes', attributesJson(attributes));
    return members.object();
  });
  return `[${objects.join(',')}]`;
}

function linksJson({ links = [] }: Span): string | undefined {
  if (links.length === 0) return undefined;
  const objects = links.map(({ traceId, spanId, traceState, attributes }) => {
    const members = new Members();
    members.add('trace_id', stringJson(traceId));
    members.add('span_id', stringJson(spanId));
    members.add('trace_state', stringJson(traceState));
    members.add('attributes', attributesJson(attributes));
    return members.object() ?? '{}';
  });
  return `[${objects.join(',')}]`;
}

/** Converts log records to events. Field names follow those for traces, because the service documents none for logs. */
import type { Addition } from '../store/datasetRecords.ts';
import { formatNanos } from '../time.ts';
import {
  addAttributes,
  COMMON_FIELDS,
  type EventLines,
  integerJson,
  Members,
  sharedMembers,
  stringJson,
  valueJson,
} from './eventJson.ts';
import type { LogRecord, Resource, Scope } from './messages.ts';

export interface LogsRequest {
  readonly resourceLogs?: readonly {
    readonly resource?: Resource;
    readonly scopeLogs?: readonly {
      readonly scope?: Scope;
      readonly logRecords?: readonly LogRecord[];
    }[];
  }[];
}

export const RECORD_FIELDS: readonly Addition[] = [
  ...COMMON_FIELDS,
  { field: 'severity_text', type: 'string' },
  { field: 'severity_number', type: 'integer' },
];

export function addLogRecords({ resourceLogs = [] }: LogsRequest, to: EventLines): void {
  for (const { resource, scopeLogs = [] } of resourceLogs) {
    for (const { scope, logRecords = [] } of scopeLogs) {
      if (logRecords.length === 0) continue;
      const shared = sharedMembers(resource, scope);
      for (const record of logRecords) to.add(membersOf(record), shared);
    }
  }
}

function membersOf(record: LogRecord): Members {
  const { timeUnixNano: time = 0n, observedTimeUnixNano: observed = 0n } = record;
  const members = new Members();
  // OpenTelemetry recommends the observation time for a record without a time.
  const at = time === 0n ? observed : time;
  if (at !== 0n) members.add('_time', `"${formatNanos(at)}"`);
  if (observed !== 0n) members.add('observed_time', `"${formatNanos(observed)}"`);
  members.add('body', valueJson(record.body));
  members.add('severity_text', stringJson(record.severityText));
  if (record.severityNumber) members.add('severity_number', integerJson(record.severityNumber));
  members.add('trace_id', stringJson(record.traceId));
  members.add('span_id', stringJson(record.spanId));
  if (record.flags) members.add('flags', integerJson(record.flags));
  members.add('event_name', stringJson(record.eventName));
  addAttributes(members, record.attributes);
  // An event needs at least one member.
  if (members.text === '') members.add('body', 'null');
  return members;
}

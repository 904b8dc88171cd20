// Monitors: scheduled queries that alert if a result meets a condition. The bounds are from the Limits section of the
// spec. This project chose the minimum of 0, because negative values are meaningless.
import { QUERY_TEXT_LENGTH_MAX } from '../limits.ts';
import { rules } from '../rules.ts';
import {
  flag,
  int64,
  key,
  list,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
  timestamp,
  timestampOrNull,
} from '../schema.ts';

export const MONITOR_TYPES = ['Threshold', 'MatchEvent', 'AnomalyDetection'] as const;

export const MONITOR_OPERATORS = [
  'Below',
  'BelowOrEqual',
  'Above',
  'AboveOrEqual',
  'AboveOrBelow',
] as const;

const settings = {
  name: key(text('Name of the monitor.')),
  type: oneOf(
    MONITOR_TYPES,
    'Threshold compares a value with a threshold, MatchEvent alerts on matching events, AnomalyDetection on values that differ from earlier days.',
  ),
  alertOnNoData: optional(flag('Alert when the query finds no data.')),
  aplQuery: optional(
    text('APL query to run. Either this or mplQuery is required.', {
      maxLength: QUERY_TEXT_LENGTH_MAX,
    }),
  ),
  mplQuery: optional(text('Metrics query to run, for metrics datasets.')),
  columnName: optional(text('Column of the result to compare.')),
  compareDays: optional(
    int64('Number of earlier days to compare with.', { minimum: 0, maximum: 7 }),
  ),
  description: optional(text('Description of the monitor.')),
  disabled: optional(flag('Disable the monitor.')),
  disabledUntil: optional(timestampOrNull('Time until which the monitor is disabled.')),
  intervalMinutes: optional(int64('Interval between runs, in minutes.', { minimum: 1 })),
  rangeMinutes: optional(int64('Time range that each run reads, in minutes.', { minimum: 1 })),
  notifierIds: optional(
    list(text(), { description: 'Identifiers of the notifiers that receive alerts.' }),
  ),
  notifyByGroup: optional(flag('Alert for each group of the result separately.')),
  notifyEveryRun: optional(flag('Notify again with every run that alerts.')),
  operator: optional(oneOf(MONITOR_OPERATORS, 'Comparison of the value with the threshold.')),
  resolvable: optional(flag('Allow alerts to be resolved manually.')),
  secondDelay: optional(
    int64('Delay of each run, in seconds, to wait for late data.', { minimum: 0, maximum: 86_400 }),
  ),
  skipResolved: optional(flag('Skip resolved alerts.')),
  threshold: optional(number('Threshold to compare the value with.')),
  tolerance: optional(
    number('Tolerated difference from the earlier days, in percent.', { minimum: 0, maximum: 100 }),
  ),
  triggerAfterNPositiveResults: optional(
    int64('Number of positive runs required before the monitor alerts.'),
  ),
  triggerFromNRuns: optional(int64('Number of latest runs in which positive runs are counted.')),
};

export const Monitor = object(
  {
    id: key(text('Identifier assigned by the service.')),
    ...settings,
    createdAt: optional(timestamp('Time of creation.')),
    createdBy: optional(text('Identifier of the user who created it.')),
    updatedAt: optional(timestamp('Time of the last change. Not in the spec.')),
  },
  rules.monitorQuery,
);
export type Monitor = Static<typeof Monitor>;

/** A check in which an alert opened or closed. From public sources, but not in the spec. */
export const MonitorCheck = object({
  checkId: optional(text('Identifier of the check.')),
  name: optional(text('Name of the monitor.')),
  state: oneOf(['open', 'closed'], 'State of the alert after the check.'),
  timestamp: timestamp('Time of the check.'),
});

/** Body that creates or changes a monitor. Not in the spec. */
export const MonitorWrite = object(settings, rules.monitorQuery);
export type MonitorWrite = Static<typeof MonitorWrite>;

// Monitors: queries the service runs on a schedule, which alert when their result crosses a line.
import {
  MONITOR_AMOUNT_MIN,
  MONITOR_COMPARE_DAYS_MAX,
  MONITOR_INTERVAL_MINUTES_MIN,
  MONITOR_RANGE_MINUTES_MIN,
  MONITOR_SECOND_DELAY_MAX,
  MONITOR_TOLERANCE_MAX,
  QUERY_TEXT_LENGTH_MAX,
} from '../limits.ts';
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
  name: key(text('What the monitor is called.')),
  type: oneOf(
    MONITOR_TYPES,
    'Threshold compares a value with a threshold, MatchEvent looks for events, AnomalyDetection for what differs from history.',
  ),
  alertOnNoData: optional(flag('Whether to alert when no data arrives.')),
  aplQuery: optional(
    text('The APL query that is run. Either this or mplQuery is needed.', {
      maxLength: QUERY_TEXT_LENGTH_MAX,
    }),
  ),
  mplQuery: optional(text('The metrics query that is run, for metrics datasets.')),
  columnName: optional(text('The column of the result that is watched.')),
  compareDays: optional(
    int64('Days of history an anomaly is measured against.', {
      minimum: MONITOR_AMOUNT_MIN,
      maximum: MONITOR_COMPARE_DAYS_MAX,
    }),
  ),
  description: optional(text('What the monitor is for.')),
  disabled: optional(flag('Whether the monitor is switched off.')),
  disabledUntil: optional(timestampOrNull('Until when it stays switched off.')),
  intervalMinutes: optional(
    int64('Minutes between two runs.', { minimum: MONITOR_INTERVAL_MINUTES_MIN }),
  ),
  rangeMinutes: optional(
    int64('Minutes of data each run looks at.', { minimum: MONITOR_RANGE_MINUTES_MIN }),
  ),
  notifierIds: optional(list(text(), { description: 'The notifiers that receive alerts.' })),
  notifyByGroup: optional(flag('Whether each group of the result alerts on its own.')),
  notifyEveryRun: optional(flag('Whether every run that finds something alerts.')),
  operator: optional(oneOf(MONITOR_OPERATORS, 'How the value is compared with the threshold.')),
  resolvable: optional(flag('Whether the alert can be resolved by hand.')),
  secondDelay: optional(
    int64('Seconds to wait for late data.', {
      minimum: MONITOR_AMOUNT_MIN,
      maximum: MONITOR_SECOND_DELAY_MAX,
    }),
  ),
  skipResolved: optional(flag('Whether resolved alerts are passed over.')),
  threshold: optional(number('The value at which the monitor triggers.')),
  tolerance: optional(
    number('Percent by which a value may differ from history.', {
      minimum: MONITOR_AMOUNT_MIN,
      maximum: MONITOR_TOLERANCE_MAX,
    }),
  ),
  triggerAfterNPositiveResults: optional(
    int64('Runs that must find something before it triggers.'),
  ),
  triggerFromNRuns: optional(int64('Runs among which the positive ones are counted.')),
};

/** A monitor as the service holds it. */
export const Monitor = object(
  {
    id: key(text('The identifier the service gave it.')),
    ...settings,
    createdAt: optional(timestamp('When it was made.')),
    createdBy: optional(text('The identifier of the user who made it.')),
    updatedAt: optional(timestamp('When it was last changed. Not in the spec.')),
  },
  rules.monitorQuery,
);
export type Monitor = Static<typeof Monitor>;

/** One check of a monitor that opened or closed an alert. Public and not in the spec. */
export const MonitorCheck = object({
  checkId: optional(text('The identifier of the check.')),
  name: optional(text('The name of the monitor.')),
  state: oneOf(['open', 'closed'], 'Whether the alert was open after the check.'),
  timestamp: timestamp('When it was checked.'),
});
export type MonitorCheck = Static<typeof MonitorCheck>;

/** A monitor as it is made or changed. Not in the spec. */
export const MonitorWrite = object(settings, rules.monitorQuery);
export type MonitorWrite = Static<typeof MonitorWrite>;

/** The rule of a monitor as a sentence. */
import { counted } from '../../../../formats/src/counts.ts';
import type { Operator, Rule } from './rule.ts';

const comparisons: Readonly<Record<Operator, string>> = {
  Above: 'is above',
  AboveOrEqual: 'is at or above',
  Below: 'is below',
  BelowOrEqual: 'is at or below',
  AboveOrBelow: 'differs from',
};

const deviations: Readonly<Record<Operator, string>> = {
  Above: 'above',
  AboveOrEqual: 'above',
  Below: 'below',
  BelowOrEqual: 'below',
  AboveOrBelow: 'above or below',
};

/** The columns of the query's answer; empty before the first answer. */
export interface WatchedColumns {
  /** The watched columns of numbers. */
  readonly values: readonly string[];
  /** The group-by columns other than the time. */
  readonly groups: readonly string[];
}

/**
 * Describes a rule, such as `Alerts when 'count_' is above 10 for any host, checked every 5 minutes over the last 15
 * minutes.`, with a sentence for each further condition.
 */
export function ruleInWords(rule: Rule, columns: WatchedColumns): string {
  const checked = `checked every ${period(rule.intervalMinutes)} over the last ${period(rule.rangeMinutes)}`;
  return [`${condition(rule, columns)}, ${checked}.`, ...details(rule, columns)].join(' ');
}

function condition(rule: Rule, { values, groups }: WatchedColumns): string {
  const watched = namesOf(rule.column === undefined ? values : [rule.column]);
  const where = groups.length > 0 ? ` for any ${groups.join(', ')}` : '';
  switch (rule.type) {
    case 'MatchEvent':
      return 'Alerts for each event that the query finds';
    case 'AnomalyDetection': {
      const days =
        rule.compareDays === 1 ? 'the day before' : `the ${rule.compareDays} days before`;
      return `Alerts when ${watched} is more than ${number(rule.tolerance)}% ${deviations[rule.operator]} the average of the same time on ${days}${where}`;
    }
    case 'Threshold': {
      const tolerance =
        rule.operator === 'AboveOrBelow' && rule.tolerance > 0
          ? ` by more than ${number(rule.tolerance)}%`
          : '';
      return `Alerts when ${watched} ${comparisons[rule.operator]} ${number(rule.threshold)}${tolerance}${where}`;
    }
    default:
      return `The rule of a monitor of type ${rule.typeName || 'unknown'} is not known here`;
  }
}

function namesOf(columns: readonly string[]): string {
  return columns.length > 0 ? columns.map((name) => `'${name}'`).join(' or ') : 'the result';
}

function details(rule: Rule, { groups }: WatchedColumns): string[] {
  const isMatch = rule.type === 'MatchEvent';
  const { positiveRuns, fromRuns, delaySeconds } = rule;
  return [
    ...(delaySeconds > 0 ? [`Each check waits ${seconds(delaySeconds)} for late data.`] : []),
    ...(!isMatch && fromRuns > 1
      ? [
          positiveRuns === fromRuns
            ? `Alerts once ${fromRuns} checks in a row are positive.`
            : `Alerts once ${positiveRuns} of the last ${fromRuns} checks are positive.`,
        ]
      : []),
    ...(!isMatch && rule.alertOnNoData ? ['No data counts as positive.'] : []),
    ...(!isMatch && rule.notifyByGroup && groups.length > 0
      ? ['Each group alerts separately.']
      : []),
    ...(!isMatch && rule.notifyEveryRun ? ['Notifies again after every check that alerts.'] : []),
  ];
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

function seconds(value: number): string {
  return value % 60 === 0 ? duration(value / 60) : counted(value, 'second');
}

const steps = [
  [1_440, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const;

/** Formats minutes to follow "every" or "the last": `15 minutes`, `hour`. */
function period(minutes: number): string {
  return duration(minutes).replace(/^1 /, '');
}

/** Formats minutes: `15 minutes`, `1 hour`. */
function duration(minutes: number): string {
  const [size, name] = steps.find(([length]) => minutes % length === 0) ?? steps[2];
  return counted(minutes / size, name);
}

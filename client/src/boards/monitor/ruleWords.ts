/** Describes a monitor's rule in sentences. */
import { lengthInWords } from '../../words/timeText.ts';
import { operators, type Rule } from './rule.ts';
import type { Watched } from './watchedTable.ts';

/** The latest answer's columns. Both lists are empty before the first answer. */
export type WatchedColumns = Pick<Watched, 'values' | 'groups'>;

/**
 * Describes a rule, such as `Alerts when 'count_' is above 10 for any host, checked every 5 minutes over the last
 * hour.` Adds a sentence for each further condition.
 */
export function ruleInWords(rule: Rule, columns: WatchedColumns): string {
  const checked = `checked every ${period(rule.intervalMinutes)} over the last ${period(rule.rangeMinutes)}`;
  return [`${condition(rule, columns)}, ${checked}.`, ...details(rule, columns)].join(' ');
}

function condition(rule: Rule, { values, groups }: WatchedColumns): string {
  const columns = rule.column === undefined ? values : [rule.column];
  const watched = columns.map((name) => `'${name}'`).join(' or ') || 'the result';
  const where = groups.length > 0 ? ` for any ${groups.join(', ')}` : '';
  const { comparison, deviation } = operators[rule.operator];
  switch (rule.type) {
    case 'MatchEvent':
      return 'Alerts for each event that the query finds';
    case 'AnomalyDetection': {
      const days =
        rule.compareDays === 1 ? 'the day before' : `the ${rule.compareDays} days before`;
      return `Alerts when ${watched} is more than ${number(rule.tolerance)}% ${deviation} the average of the same time on ${days}${where}`;
    }
    case 'Threshold': {
      const tolerance =
        rule.operator === 'AboveOrBelow' && rule.tolerance > 0
          ? ` by more than ${number(rule.tolerance)}%`
          : '';
      return `Alerts when ${watched} ${comparison} ${number(rule.threshold)}${tolerance}${where}`;
    }
    default:
      return `The rule of a monitor of type ${rule.typeName || 'unknown'} is not known here`;
  }
}

function details(rule: Rule, { groups }: WatchedColumns): string[] {
  const { positiveRuns, fromRuns, delaySeconds } = rule;
  const isMatch = rule.type === 'MatchEvent';
  const needed =
    positiveRuns === fromRuns
      ? `${fromRuns} checks in a row`
      : `${positiveRuns} of the last ${fromRuns} checks`;
  const sentences: readonly (readonly [isShown: boolean, text: string])[] = [
    [delaySeconds > 0, `Each check waits ${lengthInWords(delaySeconds)} for late data.`],
    [!isMatch && fromRuns > 1, `Alerts once ${needed} are positive.`],
    [!isMatch && rule.alertOnNoData, 'No data counts as positive.'],
    [!isMatch && rule.notifyByGroup && groups.length > 0, 'Each group alerts separately.'],
    [!isMatch && rule.notifyEveryRun, 'Notifies again after every check that alerts.'],
  ];
  return sentences.flatMap(([isShown, text]) => (isShown ? [text] : []));
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

/** Formats minutes to follow "every" or "the last": `15 minutes` or `hour`. */
function period(minutes: number): string {
  return lengthInWords(minutes * 60).replace(/^1 /, '');
}

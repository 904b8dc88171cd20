/** Reads a stored monitor's rule tolerantly, and replaces missing members with the service's defaults. */
import { type Members, textAt } from '../../../../resources/src/value.ts';
import { numberOf, textOf } from '../model/dashboard.ts';

const types = ['Threshold', 'MatchEvent', 'AnomalyDetection'] as const;

/** The operators in words: for threshold rules, for anomaly rules, and for the verdict about a run. */
export const operators = {
  Above: { comparison: 'is above', deviation: 'above', check: 'Above' },
  AboveOrEqual: { comparison: 'is at or above', deviation: 'above', check: 'At or above' },
  Below: { comparison: 'is below', deviation: 'below', check: 'Below' },
  BelowOrEqual: { comparison: 'is at or below', deviation: 'below', check: 'At or below' },
  AboveOrBelow: { comparison: 'differs from', deviation: 'above or below', check: 'Other than' },
} as const;
export type Operator = keyof typeof operators;
export const operatorNames = Object.keys(operators) as readonly Operator[];

export interface Rule {
  /** The rule's type; absent if it is unknown. */
  readonly type?: (typeof types)[number];
  readonly typeName: string;
  readonly operator: Operator;
  readonly threshold: number;
  readonly rangeMinutes: number;
  readonly intervalMinutes: number;
  readonly delaySeconds: number;
  /** An alert opens if this many of the last `fromRuns` runs are positive. */
  readonly positiveRuns: number;
  readonly fromRuns: number;
  readonly alertOnNoData: boolean;
  readonly notifyByGroup: boolean;
  readonly notifyEveryRun: boolean;
  readonly compareDays: number;
  /** The tolerance in percent. */
  readonly tolerance: number;
  /** The watched column; absent if all numeric columns are watched. */
  readonly column?: string;
}

/** The maximum in minutes: ten years, because longer ranges could produce invalid dates. */
const minutesMax = 10 * 525_600;

export function readRule(monitor: Members): Rule {
  const type = types.find((known) => known === monitor.type);
  const column = textAt(monitor, ['columnName']);
  const atLeastOne = (value: unknown, fallback = 1) =>
    Math.min(minutesMax, Math.max(1, Math.trunc(numberOf(value) ?? fallback) || fallback));
  const intervalMinutes = atLeastOne(monitor.intervalMinutes);
  const positiveRuns = atLeastOne(monitor.triggerAfterNPositiveResults);
  return {
    ...(type && { type }),
    typeName: textOf(monitor.type) ?? '',
    operator: operatorNames.find((known) => known === monitor.operator) ?? 'Above',
    threshold: numberOf(monitor.threshold) ?? 0,
    rangeMinutes: atLeastOne(monitor.rangeMinutes, intervalMinutes),
    intervalMinutes,
    delaySeconds: Math.min(
      minutesMax * 60,
      Math.max(0, Math.trunc(numberOf(monitor.secondDelay) ?? 0)),
    ),
    positiveRuns,
    fromRuns: Math.max(positiveRuns, atLeastOne(monitor.triggerFromNRuns)),
    alertOnNoData: monitor.alertOnNoData === true,
    notifyByGroup: monitor.notifyByGroup === true,
    notifyEveryRun: monitor.notifyEveryRun === true,
    compareDays: Math.min(7, atLeastOne(monitor.compareDays)),
    tolerance: Math.max(0, numberOf(monitor.tolerance) ?? 0),
    ...(column !== undefined && { column }),
  };
}

/** Reads the rule of a stored monitor tolerantly, with the service's defaults for missing members. */
import type { Members } from '../../../../resources/src/value.ts';
import { listOf, numberOf } from '../model/dashboard.ts';

export const monitorTypes = ['Threshold', 'MatchEvent', 'AnomalyDetection'] as const;
export type MonitorType = (typeof monitorTypes)[number];

export const operators = [
  'Above',
  'AboveOrEqual',
  'Below',
  'BelowOrEqual',
  'AboveOrBelow',
] as const;
export type Operator = (typeof operators)[number];

export interface Rule {
  /** Absent for an unknown type. */
  readonly type?: MonitorType;
  readonly typeName: string;
  readonly operator: Operator;
  readonly threshold: number;
  readonly rangeMinutes: number;
  readonly intervalMinutes: number;
  readonly delaySeconds: number;
  /** The number of positive runs among the last `fromRuns` that opens an alert. */
  readonly positiveRuns: number;
  readonly fromRuns: number;
  readonly alertOnNoData: boolean;
  readonly notifyByGroup: boolean;
  readonly notifyEveryRun: boolean;
  readonly compareDays: number;
  /** Percent. */
  readonly tolerance: number;
  /** The watched column; absent for all columns of numbers. */
  readonly column?: string;
}

/** Ten years. Longer ranges could have invalid dates. */
const minutesMax = 10 * 525_600;

export function readRule(monitor: Members): Rule {
  const { type, operator, columnName } = monitor;
  const atLeastOne = (value: unknown, fallback = 1) =>
    Math.min(minutesMax, Math.max(1, Math.trunc(numberOf(value) ?? fallback) || fallback));
  const intervalMinutes = atLeastOne(monitor.intervalMinutes);
  const positiveRuns = atLeastOne(monitor.triggerAfterNPositiveResults);
  return {
    ...(isType(type) && { type }),
    typeName: typeof type === 'string' ? type : '',
    operator: isOperator(operator) ? operator : 'Above',
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
    ...(typeof columnName === 'string' && columnName !== '' && { column: columnName }),
  };
}

function isType(value: unknown): value is MonitorType {
  return listOf(monitorTypes).includes(value);
}

function isOperator(value: unknown): value is Operator {
  return listOf(operators).includes(value);
}

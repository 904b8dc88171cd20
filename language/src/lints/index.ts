/** Finds syntactically valid constructs that probably don't do what the author intended. */
import { none } from '../append.ts';
import type { BoundExpression, BoundPipeline, BoundQuery } from '../binding/bound.ts';
import { getOrCreate } from '../maps.ts';
import type { Problem } from '../problems.ts';
import { lintCase, lintCaseOfList } from './case.ts';
import type { Binary, Call, Linter } from './linter.ts';
import { lintNumbers } from './numbers.ts';
import { lintBetween, lintDatePart, lintDatePartIn, lintPercent } from './ranges.ts';
import { lintSearch, lintStar, lintTimeField, lintUnbounded } from './reading.ts';
import { lintMatches, lintRegexCall, lintRegexOperator, lintTrim } from './regex.ts';
import { lintStages } from './stages.ts';
import { lintOrder } from './swapped.ts';
import { lintContains, lintWildcard } from './textOperators.ts';
import {
  lintAgo,
  lintBinWidth,
  lintNanoseconds,
  lintSpanForTime,
  lintTimeFromNumber,
  lintToTimespan,
} from './units.ts';
import { lintComparisons, lintConversion, lintNull, lintQuotient } from './values.ts';
import { walkBound } from './walk.ts';
import { lintColumns, lintLets, lintParses } from './waste.ts';

type Rule<T> = (linter: Linter, node: T) => void;

const binaryRules = rules<Binary>([
  [
    '==, !=, <>, =~, !~, <, <=, >, >=',
    [lintCase, lintNull, lintNanoseconds, lintDatePart, lintSpanForTime],
  ],
  [
    'contains, !contains, contains_cs, !contains_cs, endswith, !endswith, endswith_cs, !endswith_cs, ' +
      'has, !has, has_cs, !has_cs, hasprefix, !hasprefix, hasprefix_cs, !hasprefix_cs, ' +
      'hassuffix, !hassuffix, hassuffix_cs, !hassuffix_cs, ' +
      'startswith, !startswith, startswith_cs, !startswith_cs',
    [lintCase, lintStar, lintWildcard, lintContains],
  ],
  ['/', [lintQuotient]],
  ['matches regex, !matches regex', [lintMatches, lintStar]],
]);

const callRules = rules<Call>([
  ['ago', [lintAgo]],
  ['bin', [lintBinWidth]],
  ['countof, replace_string', [lintOrder]],
  ['countof_regex, extract, replace, replace_regex', [lintOrder, lintRegexCall]],
  ['extract_all, indexof_regex', [lintRegexCall]],
  ['percentile, percentileif, percentiles_array', [lintPercent]],
  ['tobool, todouble, toint, tolong, toreal', [lintConversion]],
  ['todatetime', [lintConversion, lintTimeFromNumber]],
  ['totimespan', [lintConversion, lintToTimespan]],
  ['trim, trim_end, trim_start', [lintOrder, lintTrim]],
  ['trim_end_regex, trim_regex, trim_start_regex', [lintOrder, lintRegexCall]],
  [
    'unixtime_seconds_todatetime, unixtime_milliseconds_todatetime, ' +
      'unixtime_microseconds_todatetime, unixtime_nanoseconds_todatetime',
    [lintTimeFromNumber],
  ],
]);

function rules<T>(
  rows: readonly [names: string, rules: readonly Rule<T>[]][],
): ReadonlyMap<string, readonly Rule<T>[]> {
  return new Map(rows.flatMap(([names, found]) => names.split(', ').map((name) => [name, found])));
}

export function lint(bound: BoundQuery): Problem[] {
  const linter: Linter = { bound, text: bound.tree.text, problems: [], stars: 0 };
  const parses: Call[] = [];
  const pipelines: BoundPipeline[] = [];
  walkBound(bound, {
    pipeline(pipeline) {
      pipelines.push(pipeline);
      lintStages(linter, pipeline);
      lintSearch(linter, pipeline);
      lintTimeField(linter, pipeline);
      for (const { operator } of pipeline.stages) {
        if (operator.kind === 'parse' || operator.kind === 'redact')
          lintRegexOperator(linter, operator);
        lintNumbers(linter, operator);
        if (operator.kind === 'extend') lintComparisons(linter, operator.items);
      }
    },
    expression(expression: BoundExpression) {
      switch (expression.kind) {
        case 'binary':
          for (const rule of binaryRules.get(expression.operator) ?? none) rule(linter, expression);
          break;
        case 'in':
          lintCaseOfList(linter, expression);
          lintDatePartIn(linter, expression);
          break;
        case 'between':
          lintBetween(linter, expression);
          break;
        case 'star':
          linter.stars++;
          break;
        case 'call':
          for (const rule of callRules.get(expression.name) ?? none) rule(linter, expression);
          if (isParse(expression)) parses.push(expression);
          break;
      }
    },
  });
  for (const calls of byPipeline(pipelines, parses)) lintParses(linter, calls);
  lintUnbounded(linter, bound);
  lintLets(linter, bound);
  for (const pipeline of pipelines) lintColumns(linter, pipeline);
  return linter.problems;
}

function byPipeline(
  pipelines: readonly BoundPipeline[],
  calls: readonly Call[],
): Iterable<readonly Call[]> {
  if (calls.length < 2) return [];
  const outerFirst = pipelines.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const open: BoundPipeline[] = [];
  const found = new Map<BoundPipeline | undefined, Call[]>();
  let next = 0;
  for (const call of calls.toSorted((a, b) => a.start - b.start)) {
    for (; (outerFirst[next]?.start ?? call.end) <= call.start; next++)
      open.push(outerFirst[next] as BoundPipeline);
    while ((open.at(-1)?.end ?? call.end) < call.end) open.pop();
    getOrCreate(found, open.at(-1), () => []).push(call);
  }
  return found.values();
}

/** Returns whether a call parses JSON separately for each row. A call with a literal argument doesn't. */
function isParse({ name, arguments: [text] }: Call): boolean {
  return (name === 'parse_json' || name === 'todynamic') && text?.kind !== 'literal';
}

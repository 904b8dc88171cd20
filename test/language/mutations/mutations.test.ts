/**
 * Single mistakes in the catalog's examples: each is reported at its position, and the stages around it keep
 * their columns.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proseOf } from '../../../language/src/editing.ts';
import {
  aggregates,
  type analyzeQuery,
  functions,
  operators,
  scalarOperators,
} from '../../../language/src/index.ts';
import { queries } from '../queries.data.ts';
import { assertSurvey } from './bounds.ts';
import { soundOf, survey } from './survey.ts';

const examples: readonly string[] = [
  ...operators.map((row) => proseOf(row).example),
  ...functions.map((row) => `logs\n| extend x = ${proseOf(row).example}\n| where isnotnull(x)`),
  ...aggregates.map((row) => `logs\n| summarize x = ${proseOf(row).example} by host\n| top 5 by x`),
  ...scalarOperators.map((row) => `logs\n| extend x = ${proseOf(row).example}\n| sort by host`),
  ...queries,
];

describe('single mistakes', () => {
  it("are reported in the catalog's examples, and nearby stages keep their columns", (context) => {
    const sound = examples.flatMap((text) => soundOf(text) ?? []);
    assert.ok(sound.length > 0.9 * examples.length, `${sound.length} of ${examples.length}`);
    assertSurvey(survey(sound, 5_000, 3), context);
  });

  it('are generated only from queries without errors', () => {
    assert.equal(soundOf('logs | whre x == 1'), undefined);
    assert.deepEqual(soundOf('logs | where x == 1')?.query.problems.filter(isError), []);
  });
});

const isError = ({ severity }: ReturnType<typeof analyzeQuery>['problems'][number]) =>
  severity === 'error';

/** Bounds on a survey of mistakes, used by `npm test` and over the documentation. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Survey, table } from './survey.ts';

/**
 * The minimum share of mistakes found, the maximum share of valid changes, and the minimum share of stages kept.
 */
const bounds = { found: 0.97, valid: 0.15, kept: 0.97 };

/**
 * Prints a survey's table and its misses by kind, and asserts that the survey is within the bounds.
 */
export function assertSurvey(survey: Survey, context: TestContext): void {
  context.diagnostic(`\n${table(survey)}`);
  const sum = (of: (row: Survey['rows'][number]) => number) =>
    survey.rows.reduce((total, row) => total + of(row), 0);
  const made = sum((row) => row.made);
  const valid = sum((row) => row.valid);
  const misses = survey.misses.map(
    ({ kind, why, text, at }) => `${kind}, ${why}, at ${at.start}:\n${text}`,
  );
  for (const miss of misses.slice(0, shown)) context.diagnostic(miss);
  const some = misses.slice(0, shown).join('\n\n');
  assert.ok(valid / made <= bounds.valid, `${valid} of ${made} are valid`);
  assert.ok(
    sum((row) => row.found) / (made - valid) >= bounds.found,
    `too many are missed:\n${some}`,
  );
  assert.ok(
    sum((row) => row.kept) / sum((row) => row.stages) >= bounds.kept,
    `columns are lost:\n${some}`,
  );
  for (const row of survey.rows) assert.ok(row.made > 0, `no ${row.kind}`);
}

const shown = 5;

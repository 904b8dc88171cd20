/** Tests the messages for invalid options. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  integerOption,
  type Options,
  readArguments,
  UsageError,
  usageLines,
} from '../../system/src/commandLine.ts';

/** Returns the first line that reports the error of `run`. No word resembles another. */
function problemOf(run: () => unknown): string {
  let problem = '';
  assert.throws(run, (error) => {
    assert.ok(error instanceof UsageError);
    [problem] = usageLines(error, () => undefined, 'run');
    return true;
  });
  return problem;
}

describe('an unknown option', () => {
  const problemWith = (options: Options) =>
    problemOf(() => readArguments(['--colour'], [], options));

  it('is reported with the list of options', () => {
    assert.equal(
      problemWith({ data: { type: 'string' }, port: { type: 'string' } }),
      "Unknown option '--colour'. The options are --data, --port.",
    );
  });

  it('is reported without a list by a command that has no options', () => {
    assert.equal(problemWith({}), "Unknown option '--colour'.");
  });
});

describe('integerOption', () => {
  it('accepts integers in the range, including its ends', () => {
    assert.deepEqual(
      ['1', '9'].map((text) => integerOption('count', text, 1, 9)),
      [1, 9],
    );
  });

  it('reports the range for other values', () => {
    for (const text of ['0', '10', '1.5', '-1', '1e1', ''])
      assert.equal(
        problemOf(() => integerOption('count', text, 1, 9)),
        `--count must be an integer from 1 to 9, but is '${text}'.`,
      );
    assert.equal(
      problemOf(() => integerOption('count', 'x', 1)),
      "--count must be an integer of at least 1, but is 'x'.",
    );
  });

  it('reports the unit if the value has one', () => {
    assert.equal(
      problemOf(() => integerOption('wait', '5m', 1, 60, 'a whole number of seconds')),
      "--wait must be a whole number of seconds from 1 to 60, but is '5m'.",
    );
  });
});

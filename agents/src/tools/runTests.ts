// Runs the tests of queries, where there are any.
import { object, optional, text } from '../../../api/src/schema.ts';
import { cutText, failedAnswer, fenced } from '../answer.ts';
import { ANSWER_TOKENS_MAX } from '../limits.ts';
import { tool } from '../tool.ts';

export const runTests = tool({
  name: 'run_tests',
  title: 'Run Tests',
  description: 'Run the tests of queries in the workspace.',
  input: object({ filter: optional(text('Part of the name.')) }),
  // Ingest takes the tenth place where it is allowed.
  isOffered: ({ runTests: run, ingest }) => run !== undefined && ingest === undefined,
  async run({ context }, { filter = '' }, signal) {
    if (context.runTests === undefined) return failedAnswer('There are no tests.');
    const outcome = await context.runTests(filter, signal);
    if (!outcome.ok) return failedAnswer(outcome.message);
    return { text: fenced(cutText(outcome.value, ANSWER_TOKENS_MAX - 200), 'tests') };
  },
});

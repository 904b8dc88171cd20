// Explains an operator, function, problem code or word of Kusto, or returns the guide.
import { object, text } from '../../../api/src/schema.ts';
import { cutText, failedAnswer } from '../answer.ts';
import { explanationOf, similarTopic } from '../explanations.ts';
import { guide } from '../guide.ts';
import { ANSWER_TOKENS_MAX } from '../limits.ts';
import { tool } from '../tool.ts';

export const explain = tool({
  name: 'explain',
  title: 'Explain',
  description:
    "Explain an APL operator, function, problem code or Kusto name. 'guide' tells how APL differs from Kusto: read it first.",
  input: object({ topic: text(undefined, { minLength: 1, maxLength: 200 }) }),
  async run({ context }, { topic }) {
    const name = topic.trim().replace(/\(.*\)$/s, '');
    if (name.toLowerCase() === 'guide') return { text: guide };
    const found = explanationOf(name, (code) => context.page(code));
    if (found !== undefined) return { text: cutText(found, ANSWER_TOKENS_MAX - 100) };
    const near = similarTopic(name);
    const hint = near === undefined ? "Try 'guide'." : `Did you mean '${near}'?`;
    return failedAnswer(`No operator, function or problem code has this name. ${hint}`);
  },
});

// Checks a query without running it, and applies fixes if asked to.
import { flag, object, optional, text } from '../../../api/src/schema.ts';
import { analyzeQuery } from '../../../language/src/index.ts';
import { checkText, fixText } from '../checkText.ts';
import { fixQuery } from '../fixQuery.ts';
import { QUERY_CHARACTERS_MAX } from '../limits.ts';
import { tool } from '../tool.ts';

export const checkQuery = tool({
  name: 'check_query',
  title: 'Check Query',
  description:
    'Check an APL query against the schema without running it. Returns problems, their positions, and the fixed query.',
  input: object({
    query: text(undefined, { minLength: 1, maxLength: QUERY_CHARACTERS_MAX }),
    fix: optional(flag('Apply likely fixes too, not only certain ones.')),
  }),
  async run(session, { query, fix = false }, signal) {
    const schema = await session.schemaFor(query, signal);
    const analysis = analyzeQuery(query, schema);
    const problems = checkText(analysis, schema);
    if (!fix || analysis.problems.length === 0) return { text: problems };
    const fixed = fixQuery(query, schema, { withGuesses: true });
    // A fix can name another dataset, whose fields are only read then.
    const full = await session.schemaFor(fixed.text, signal);
    const again = fixQuery(fixed.text, full, { withGuesses: true });
    const all = { ...again, applied: [...fixed.applied, ...again.applied] };
    const rest =
      again.analysis.problems.length === 0 ? '' : `\n\nLeft: ${checkText(again.analysis, full)}`;
    return { text: `${problems.split('\n\n')[0]}\n\n${fixText(all)}${rest}` };
  },
});

// Plans a change of a resource: shows the difference and the problems of the changed document. Applies nothing.
import { anyObject, object, optional, text } from '../../../api/src/schema.ts';
import { printable, syntaxErrors } from '../../../language/src/index.ts';
import { aplLocations } from '../../../resources/src/aplLocations.ts';
import {
  creationBody,
  documentOf,
  documentText,
  updateBody,
} from '../../../resources/src/documents.ts';
import { lineDiff } from '../../../resources/src/folder/diff.ts';
import { type KindName, kinds } from '../../../resources/src/kinds.ts';
import { formatPaths, maskSecrets, unmaskedPaths } from '../../../resources/src/secrets.ts';
import type { Members } from '../../../resources/src/value.ts';
import { cutText, failedAnswer, fenced } from '../answer.ts';
import { ANSWER_TOKENS_MAX } from '../limits.ts';
import { mergePatch } from '../mergePatch.ts';
import { findResource, resourceInput } from '../resourceCalls.ts';
import { tool } from '../tool.ts';

const PROBLEMS_MAX = 10;

export const planChange = tool({
  name: 'plan_change',
  title: 'Plan Change',
  description: 'Show how a change would alter a resource. Nothing is applied: a person does that.',
  input: object({
    ...resourceInput,
    id: optional(text('Id or name. Leave out for a new resource.')),
    change: anyObject(
      'JSON merge patch of the document; null removes a member. For a new resource: its document.',
    ),
  }),
  async run(session, { kind, dataset, id, change }, signal) {
    const { context } = session;
    let before: Members | undefined;
    if (id !== undefined) {
      const found = await findResource(session, { kind, dataset }, id, signal);
      if (!found.ok) return failedAnswer(found.message);
      before = found.value;
    } else if (kinds[kind].endpoints.create === undefined) {
      return failedAnswer(`A ${kinds[kind].noun} is not created: set 'id'.`);
    }
    const stored = before === undefined ? {} : documentOf(kind, before);
    const after = documentOf(kind, mergePatch(stored, change) as Members);
    const body = before === undefined ? creationBody(kind, after) : updateBody(kind, before, after);
    const problems = [
      ...(await context.documentProblems(kind, before === undefined ? 'create' : 'update', body)),
      ...queryProblems(kind, after),
    ];
    const shown = (document: Members) => documentText(maskSecrets(kind, document));
    const difference = lineDiff(before === undefined ? '' : shown(stored), shown(after));
    // Stored secrets are masked already, so all others are new.
    const secrets = unmaskedPaths(kind, after);
    if (difference === '' && secrets.length === 0) return { text: 'The change alters nothing.' };
    const verdict =
      problems.length === 0
        ? 'No problems were found.'
        : `Problems:\n${problems
            .slice(0, PROBLEMS_MAX)
            .map((problem) => `- ${printable(problem)}`)
            .join('\n')}`;
    const replaced =
      secrets.length === 0
        ? ''
        : `\n${cutText(`Secrets that it sets, which are not shown: ${printable(formatPaths(secrets))}.`, 300)}`;
    const shownDifference = difference === '' ? 'No other difference.' : difference;
    const plan = fenced(cutText(shownDifference, ANSWER_TOKENS_MAX - 1_800), 'resources');
    return {
      text: `Plan only: nothing was changed. ${context.applyAdvice}\n${cutText(verdict, 1_000)}${replaced}\n${plan}`,
    };
  },
});

function queryProblems(kind: KindName, document: Members): string[] {
  return aplLocations(kind, document)
    .filter(({ language }) => language === 'query')
    .flatMap(({ apl, noun }) => {
      const [first] = syntaxErrors(apl);
      return first === undefined ? [] : [`The ${noun} has a syntax error: ${first.message}`];
    });
}

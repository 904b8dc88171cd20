// Reads a resource without its secrets, or lists those of a kind.
import { object, optional, text } from '../../../api/src/schema.ts';
import { counted } from '../../../formats/src/counts.ts';
import { documentOf, documentText } from '../../../resources/src/documents.ts';
import { kinds } from '../../../resources/src/kinds.ts';
import { cutText, failedAnswer, fenced, LineBudget, shortened } from '../answer.ts';
import { ANSWER_TOKENS_MAX } from '../limits.ts';
import { findResource, listResources, resourceInput, resourceLine } from '../resourceCalls.ts';
import { tool } from '../tool.ts';

export const getResource = tool({
  name: 'get_resource',
  title: 'Get Resource',
  description:
    'Read a monitor, dashboard, saved query or other resource as JSON, without secrets. Without id, list the ids and names.',
  input: object({ ...resourceInput, id: optional(text('Id or name.')) }),
  async run(session, { kind, dataset, id }, signal) {
    if (id !== undefined) {
      const found = await findResource(session, { kind, dataset }, id, signal);
      if (!found.ok) return failedAnswer(found.message);
      const document = documentText(documentOf(kind, found.value));
      return { text: fenced(cutText(document, ANSWER_TOKENS_MAX - 200), 'resources') };
    }
    const list = await listResources(session, { kind, dataset }, signal);
    if (!list.ok) return failedAnswer(list.message);
    const lines = new LineBudget(ANSWER_TOKENS_MAX - 300);
    for (const record of list.value) {
      if (!lines.add(shortened(resourceLine(kind, record), 400))) break;
    }
    const total = counted(list.value.length, kinds[kind].noun, kinds[kind].plural);
    const hidden = list.value.length - lines.lines.length;
    const notes = `${total}.${hidden > 0 ? ` ${hidden} not shown.` : ''}`;
    return {
      text: lines.lines.length === 0 ? notes : `${notes}\n${fenced(lines.text, 'resources')}`,
    };
  },
});

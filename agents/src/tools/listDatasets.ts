// Lists the datasets and views.

import { object, optional, text } from '../../../api/src/schema.ts';
import { counted } from '../../../formats/src/counts.ts';
import { failedAnswer, fenced, LineBudget, shortened } from '../answer.ts';
import { nameText } from '../cellText.ts';
import { ANSWER_TOKENS_MAX } from '../limits.ts';
import { tool } from '../tool.ts';

const DESCRIPTION_CHARACTERS_MAX = 200;

export const listDatasets = tool({
  name: 'list_datasets',
  title: 'List Datasets',
  description: 'List datasets and views. Start here.',
  input: object({ filter: optional(text('Part of the name.')) }),
  async run(session, { filter = '' }, signal) {
    const list = await session.datasets(signal);
    if (!list.ok) return failedAnswer(list.message);
    const wanted = filter.toLowerCase();
    const found = list.value.datasets.filter(({ name }) => name.toLowerCase().includes(wanted));
    if (found.length === 0) {
      const all = list.value.datasets.length;
      return {
        text:
          all === 0
            ? 'There are no datasets.'
            : `No dataset matches, of ${counted(all, 'dataset')}.`,
      };
    }
    const lines = new LineBudget(ANSWER_TOKENS_MAX - 200);
    for (const { name, kind, description } of found) {
      const about = description ? `: ${shortened(description, DESCRIPTION_CHARACTERS_MAX)}` : '';
      if (
        !lines.add(
          `${nameText(name)}${kind === 'view' ? ' (view)' : ''}${about.replace(/\s+/g, ' ')}`,
        )
      )
        break;
    }
    const hidden = found.length - lines.lines.length;
    const notes = [
      `${counted(found.length, 'dataset')} of ${session.context.deployment}.`,
      ...(hidden > 0 ? [`${hidden} not shown. Use filter.`] : []),
      ...(list.value.complete ? [] : ['The list may be incomplete.']),
    ];
    return { text: `${notes.join(' ')}\n${fenced(lines.text, 'resources')}` };
  },
});

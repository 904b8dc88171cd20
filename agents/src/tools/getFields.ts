// Lists a dataset's fields, with the most frequent values of its latest events.
import { flag, object, optional, text } from '../../../api/src/schema.ts';
import { counted } from '../../../formats/src/counts.ts';
import { closest, quoteName } from '../../../language/src/index.ts';
import { failedAnswer, fenced, LineBudget, shortened } from '../answer.ts';
import { nameText } from '../cellText.ts';
import type { AnswerTable, FieldInfo } from '../context.ts';
import { ANSWER_TOKENS_MAX, DEFAULT_FROM, SAMPLED_EVENTS, SAMPLED_FIELDS_MAX } from '../limits.ts';
import { invalidTime, normalizedTime } from '../range.ts';
import { ask } from '../run.ts';
import type { AgentSession } from '../session.ts';
import { columnSummary } from '../summary.ts';
import { rowCountOf } from '../tableText.ts';
import { tool } from '../tool.ts';

const DESCRIPTION_CHARACTERS_MAX = 120;

export const getFields = tool({
  name: 'get_fields',
  title: 'Get Fields',
  description:
    "List a dataset's fields with types, units and the frequent values of recent events. Names are case-sensitive.",
  input: object({
    dataset: text(),
    filter: optional(text('Part of the name.')),
    from: optional(text('Start of the range of the values. Default: now-1h.')),
    values: optional(flag('False for names and types only.')),
  }),
  async run(session, { dataset, filter = '', from: given = DEFAULT_FROM, values = true }, signal) {
    const from = normalizedTime(given);
    if (from === undefined) return failedAnswer(invalidTime('from'));
    const list = await session.datasets(signal);
    if (!list.ok) return failedAnswer(list.message);
    const known = list.value.datasets.find(({ name }) => name === dataset);
    if (known === undefined && list.value.complete) {
      const near = closest(
        dataset,
        list.value.datasets.map(({ name }) => name),
      );
      const hint = near === undefined ? 'Call list_datasets.' : `Did you mean ${nameText(near)}?`;
      return failedAnswer(`Unknown dataset. ${hint}`);
    }
    const found = await session.fields(known ?? { name: dataset, kind: 'dataset' }, signal);
    if (!found.ok) return failedAnswer(found.message);
    const wanted = filter.toLowerCase();
    const fields = found.value.fields.filter(({ name }) => name.toLowerCase().includes(wanted));
    const visible = fields.filter(({ hidden }) => !hidden);
    const sampled = visible.slice(0, SAMPLED_FIELDS_MAX);
    const sample =
      values && sampled.length > 0
        ? await sampleOf(session, dataset, sampled, from, signal)
        : undefined;
    const summaries = typeof sample === 'object' ? summariesOf(sample) : new Map<string, string>();
    const lines = new LineBudget(ANSWER_TOKENS_MAX - 300);
    for (const field of fields) if (!lines.add(fieldLine(field, summaries.get(field.name)))) break;
    const notes = [
      `${counted(fields.length, 'field')} of ${nameText(dataset)}.`,
      ...(fields.length > lines.lines.length
        ? [`${fields.length - lines.lines.length} not shown. Use filter.`]
        : []),
      ...(found.value.complete ? [] : ['The list may be incomplete.']),
      ...(typeof sample === 'object'
        ? [`Values of the latest ${counted(rowCountOf(sample), 'event')} from ${from} to now.`]
        : []),
      ...(typeof sample === 'string' ? [`The values could not be read: ${sample}`] : []),
      ...(summaries.size > 0 && sampled.length < visible.length
        ? [`Only the first ${sampled.length} fields have values. Use filter for others.`]
        : []),
    ];
    if (lines.lines.length === 0) return { text: notes.join(' ') };
    return { text: `${notes.join(' ')}\n${fenced(lines.text, 'field names and events')}` };
  },
});

/** Returns the latest events' values of fields, or why they can't be read. */
async function sampleOf(
  session: AgentSession,
  dataset: string,
  fields: readonly FieldInfo[],
  from: string,
  signal: AbortSignal,
): Promise<AnswerTable | string> {
  const names = fields.map(({ name }) => quoteName(name)).join(', ');
  const apl = `${bracketed(dataset)}\n| sort by _time desc\n| take ${SAMPLED_EVENTS}\n| project ${names}`;
  const answer = await ask(session, { apl, from, to: 'now', datasets: [dataset] }, signal);
  if (!answer.ok) return answer.message;
  return answer.value.tables[0] ?? 'there is no table.';
}

/** Writes a name in brackets, which every source may be written in. */
function bracketed(name: string): string {
  const quoted = quoteName(name);
  return quoted.startsWith('[') ? quoted : `['${quoted}']`;
}

function summariesOf(table: AnswerTable): Map<string, string> {
  return new Map(
    table.fields.map(({ name, type }, index) => [
      name,
      columnSummary(type, table.columns[index] ?? []),
    ]),
  );
}

function fieldLine({ name, type, unit, description, hidden }: FieldInfo, summary = ''): string {
  const notes = [
    type,
    ...(unit ? [`in ${unit}`] : []),
    ...(hidden ? ['hidden'] : []),
    ...(description
      ? [shortened(description.replace(/\s+/g, ' '), DESCRIPTION_CHARACTERS_MAX)]
      : []),
  ];
  return `${nameText(name)} ${notes.join(', ')}${summary === '' ? '' : `: ${summary}`}`;
}

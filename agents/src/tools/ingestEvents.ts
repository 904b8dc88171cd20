// Stores events in a local dataset. Offered only if the person who started the tools allowed it.
import { anyObject, list, object, text } from '../../../api/src/schema.ts';
import { counted } from '../../../formats/src/counts.ts';
import { failedAnswer, shortened } from '../answer.ts';
import { nameText } from '../cellText.ts';
import { EVENTS_MAX } from '../limits.ts';
import { tool } from '../tool.ts';

const MESSAGES_MAX = 5;

export const ingestEvents = tool({
  name: 'ingest_events',
  title: 'Ingest Events',
  description: 'Store events in an existing dataset of the local deployment.',
  writes: true,
  input: object({
    dataset: text(),
    events: list(anyObject(), { minItems: 1, maxItems: EVENTS_MAX }),
  }),
  isOffered: ({ ingest }) => ingest !== undefined,
  async run(session, { dataset, events }, signal) {
    const { context } = session;
    if (context.ingest === undefined) return failedAnswer('Ingest is not allowed.');
    const outcome = await context.ingest(dataset, events, signal);
    // Events can add fields.
    session.forgetSchema();
    if (!outcome.ok) return failedAnswer(outcome.message);
    const { stored, failed, messages } = outcome.value;
    const notes = messages
      .slice(0, MESSAGES_MAX)
      .map((message) => `Notice: ${shortened(message, 300)}`);
    const text = [
      `${counted(stored, 'event')} stored in ${nameText(dataset)}, ${failed} rejected.`,
      ...notes,
    ].join('\n');
    return failed > 0 ? failedAnswer(text) : { text };
  },
});

/** What many fields and many datasets cost: completion in the language server, and the start of the extension. */
import type { Bench } from './measure.ts';
import { completionMeasures } from './schema/completion.ts';
import { startMeasures } from './schema/start.ts';

export const schema: Bench = {
  name: 'schema',
  summary:
    'fields: completion with 10,000 of them against none, and the start with 1,000 datasets on disk against none',
  async run(progress) {
    progress('completion in the language server');
    const completion = await completionMeasures();
    return [...completion, ...(await startMeasures(progress))];
  },
};

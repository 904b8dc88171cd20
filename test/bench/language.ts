/**
 * Aplomb's language service against the one that editors of this family of languages are built on:
 * `@kusto/language-service-next`, both warmed, with one schema, in one run.
 */

import { completionMeasures, corpusMeasures } from './language/corpus.ts';
import { fileMeasures } from './language/file.ts';
import { loadKusto } from './language/kusto.ts';
import { ours } from './language/ours.ts';
import { queriesToMeasure } from './language/queries.ts';
import { startMeasures } from './language/start.ts';
import type { Bench } from './measure.ts';

export const language: Bench = {
  name: 'language',
  summary: "the language service, against Kusto's own",
  async run(progress) {
    const { texts, source } = queriesToMeasure();
    progress('processes of their own');
    const start = await startMeasures();
    progress(`${source}, ${texts.join('').length} characters`);
    const kusto = loadKusto();
    const corpus = corpusMeasures(texts, ours, kusto);
    progress('completion');
    const completion = completionMeasures(texts, ours, kusto);
    progress('a file of 5,000 lines');
    return [...corpus, ...completion, ...fileMeasures(ours, kusto), ...start];
  },
};

// Loads the rows after an answer's last row, and appends them to the answer.

import type { HeldAnswer } from '../answers/heldAnswer.ts';
import type { ResultsStore } from '../answers/resultsStore.ts';
import { storeSink } from '../answers/storeSink.ts';
import type { Deployments } from '../deployments/deployments.ts';
import { answerLimits } from '../host/settings.ts';
import { ask } from '../service/ask.ts';
import { failed, type Outcome } from '../service/failure.ts';
import { answerService } from './answerService.ts';
import { nextPage } from './nextPage.ts';

/** Returns the answer with its next rows, which are requested from its deployment. */
export async function loadMore(
  deployments: Deployments,
  store: ResultsStore,
  answer: HeldAnswer,
  signal: AbortSignal,
): Promise<Outcome<HeldAnswer>> {
  const { deployment } = answer.about;
  const question = nextPage(answer);
  if (question === undefined) {
    const message = 'There are no more rows for this query.';
    return failed({ kind: 'refused', host: deployment, message });
  }
  const service = await answerService(deployments, deployment, signal);
  if (!service.ok) return service;
  return ask(
    question,
    {
      service: service.value,
      datasets: answer.about.datasets,
      askPerson: true,
      ...answerLimits(),
      signal,
    },
    storeSink(store.append({ answer: answer.id, table: 0 })),
  );
}

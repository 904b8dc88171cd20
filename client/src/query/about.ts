/** Builds an answer's metadata about its query and request. Independent of VS Code. */
import type { AnswerAbout } from '../../../table/src/answer.ts';
import type { TabQuery } from '../answers/tabs.ts';

type Request = Pick<AnswerAbout, 'deployment' | 'startTime' | 'endTime' | 'rangeLabel' | 'askedAt'>;

export function aboutAnswer(query: TabQuery, request: Request): AnswerAbout {
  const { title, text, place, datasets, variables, statesColumnOrder = false } = query;
  return {
    ...request,
    title,
    query: text,
    ...(place && { document: place.uri }),
    ...(datasets && { datasets }),
    ...(variables && { variables }),
    statesColumnOrder,
  };
}

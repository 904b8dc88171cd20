/** What runs need of whatever holds answers: the results store. */
import type { SeenColumn } from '../../../server/src/protocol.ts';
import type { AnswerAbout, AnswerHead } from '../../../table/src/answer.ts';
import type { AnswerId } from '../results/store/protocol.ts';
import type { AnswerSink } from './answerSink.ts';

export interface PendingAnswer extends AnswerSink<AnswerHead> {
  readonly id: AnswerId;
}

export interface Answers {
  begin(about: AnswerAbout): PendingAnswer;
  drop(id: AnswerId): void;
  /** Values of the answer's columns for completion; empty where the answer is gone. */
  valuesToOffer(id: AnswerId): Promise<readonly SeenColumn[]>;
}

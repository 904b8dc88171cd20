/** The dependencies of dashboard and monitor sessions. */
import type { ReadResponse } from '../../../../api/src/index.ts';
import type { Members } from '../../../../resources/src/value.ts';
import type { AnswerHead } from '../../../../table/src/answer.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import type { TabAction } from '../../answers/tabs.ts';
import type { SharedEffects } from '../../charts/host/chartSession.ts';
import type { AskInTab } from '../../query/answerService.ts';
import type { Answers } from '../../query/storedAnswers.ts';
import type { Arrangements } from '../../results/arrangements.ts';
import type { Effects, HeldAnswers } from '../../results/host/parts.ts';
import type { Failure, Outcome } from '../../service/failure.ts';
import type { TimeRange } from '../../time/timeRange.ts';
import type { TimeZone } from '../../time/timeZone.ts';
import type { MonitorItem } from '../boardContent.ts';
import type { KeptBoard } from '../boardsContract.ts';
import type { BoardAnnotationsParts } from './boardAnnotations.ts';
import type { CardQuestion } from './cards.ts';

type Answer = ReadResponse<'queryEdge'>;

export type Opened = Pick<KeptBoard, 'kind' | 'deployment' | 'id' | 'name'>;

export interface PageParts {
  readonly opened: Opened;
  readonly store: HeldAnswers;
  /** Stores the earlier answers that charts are compared with. */
  readonly answers: Answers;
  readonly arrangements: Arrangements;
  readonly effects: Effects;
  readonly charts: Pick<SharedEffects, 'annotate' | 'savePicture'>;
  /** The maximum number of concurrent requests. */
  readonly atOnce: () => number;
  readonly timeZone: () => TimeZone;
  readonly now: () => number;
  load(signal?: AbortSignal): Promise<Outcome<Members>>;
  monitors(signal: AbortSignal): Promise<Outcome<readonly MonitorItem[]>>;
  /** Runs a card's query. Never rejects. Returns undefined if cancelled, and drops an answer that arrives later. */
  ask(
    question: CardQuestion,
    signal: AbortSignal,
  ): Promise<Outcome<{ readonly id: AnswerId; readonly head: AnswerHead }> | undefined>;
  readonly annotations: BoardAnnotationsParts['list'];
  /** Runs a query whose small answer is returned directly and isn't stored. */
  value(question: CardQuestion, signal: AbortSignal): Promise<Outcome<Answer>>;
  /** Runs an answer's query over an earlier range; see `EarlierAnswers`. */
  readonly earlier: AskInTab;
  readonly limits: () => { readonly timeoutMs: number; readonly maxBytes: number };
  advice(failure: Failure, needs: string): { message: string; actions: readonly TabAction[] };
  chooseRange(title: string, current: TimeRange): Promise<TimeRange | undefined>;
  /** Opens a query with its range in a new APL document. */
  openQuery(question: CardQuestion): Promise<void>;
  openDocument(): Promise<void>;
  openMonitor(id: string): Promise<void>;
  onKept(kept: KeptBoard): void;
  onProblem(problem: string): void;
}

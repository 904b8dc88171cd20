// Answers in the memory of this process, as values.
import { randomUUID } from 'node:crypto';
import type { ReadResponse } from '../../../api/src/index.ts';
import type { SeenColumn } from '../../../server/src/protocol.ts';
import { valuesToOffer } from '../results/distinct.ts';
import type { QueryResult } from '../results/result.ts';
import type { AnswerAbout, AnswerHead } from '../results/store/answer.ts';
import type { AnswerId } from '../results/store/protocol.ts';
import type { Answers, PendingAnswer } from './answers.ts';
import { AnswerValue } from './answerValue.ts';
import { toResult } from './toResult.ts';

type Answer = ReadResponse<'queryEdge'>;

export class MemoryAnswers implements Answers {
  readonly #results = new Map<AnswerId, QueryResult>();

  begin(about: AnswerAbout): PendingAnswer {
    const id = randomUUID();
    const value = new AnswerValue();
    return {
      id,
      chunk: (bytes) => value.chunk(bytes),
      finish: async ({ roundTripMilliseconds, traceId }) => {
        const answer = await value.finish();
        const { title, query, statesColumnOrder, deployment, rangeLabel } = about;
        const trace = traceId === undefined ? {} : { traceId };
        const asked = { title, query, statesColumnOrder, deployment, rangeLabel };
        this.#results.set(id, toResult(answer, { ...asked, roundTripMilliseconds, ...trace }));
        return headOf(answer);
      },
      abort: () => value.abort(),
    };
  }

  drop(id: AnswerId): void {
    this.#results.delete(id);
  }

  async valuesToOffer(id: AnswerId): Promise<readonly SeenColumn[]> {
    const result = this.#results.get(id);
    return result ? valuesToOffer(result) : [];
  }

  result(id: AnswerId): QueryResult | undefined {
    return this.#results.get(id);
  }
}

function headOf(answer: Answer): AnswerHead {
  const { status, tables, datasetNames } = answer;
  const { messages, ...rest } = status;
  const names = (list: readonly { readonly name?: string | null }[] | null | undefined) =>
    (list ?? []).flatMap(({ name }) => name ?? []);
  return {
    ...answer,
    tables: (tables ?? []).map((table) => ({
      ...table,
      sources: names(table.sources),
      groups: names(table.groups),
      rowCount: Math.max(0, ...(table.columns ?? []).map((column) => column.length)),
    })),
    status: rest,
    cursors: {},
    messages: messages ?? [],
    datasetNames: datasetNames ?? [],
    aggregated: (tables?.[0]?.groups?.length ?? 0) > 0,
    notes: [],
  } as unknown as AnswerHead;
}

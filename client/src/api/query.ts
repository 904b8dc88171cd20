// Runs an APL query on whichever endpoint the stored token may use: the edge deployment keeps results
// inside it and takes API tokens only; the general address takes personal tokens too.
import { type ReadResponse, tokenKind } from '../../../api/src/index.ts';
import type { Outcome } from './failure.ts';
import type { Service } from './service.ts';

export interface QueryCall {
  readonly apl: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A dataset's name as the source of a query. */
export function datasetSource(name: string): string {
  return `['${name.replace(/[\\']/g, '\\$&')}']`;
}

/** The tabular answer to a query. Asked again only where the service never began to answer. */
export async function queryApl(
  service: Service,
  call: QueryCall,
): Promise<Outcome<ReadResponse<'queryEdge'>>> {
  const { timeoutMs, signal, ...body } = call;
  const options = {
    query: { format: 'tabular' },
    body,
    timeoutMs,
    ...(signal && { signal }),
  } as const;
  const token = await service.connection.token(new URL(service.connection.edge).origin);
  const personal = token !== undefined && tokenKind(token) === 'personal';
  const answer = personal
    ? await service.call('queryGeneral', options)
    : await service.call('queryEdge', options);
  return answer.ok ? { ...answer, value: answer.value.typed } : answer;
}

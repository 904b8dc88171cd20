/**
 * Sends queries to deployments, for runs, schema requests and all other features. Independent of VS Code. The body of
 * an answer goes to a sink in chunks, so that this module never contains it in full.
 */
import type { Body, EdgeQueryRequest, ReadResponse } from '../../../api/src/index.ts';
import { RESPONSE_HEADERS } from '../../../api/src/plain.ts';
import { errorMessage } from '../words/errors.ts';
import { type AnswerSink, type Arrival, type Chunk, SinkFailure } from './answerSink.ts';
import { AnswerValue } from './answerValue.ts';
import { type Failure, failed, type Outcome } from './failure.ts';
import type { HttpAnswer } from './http.ts';
import type { Service } from './service.ts';

/** A query request. Members that the general address doesn't support are left out when it is used. */
export interface Question
  extends Pick<
    EdgeQueryRequest,
    | 'apl'
    | 'cursor'
    | 'includeCursor'
    | 'includeCursorField'
    | 'defaultLimit'
    | 'defaultOrder'
    | 'maxBinAutoGroups'
    | 'variables'
  > {
  /** Times, or expressions such as `now-1h`. Required, because the service's default time range is ten years. */
  readonly startTime: string;
  readonly endTime: string;
}

export interface Asking {
  readonly service: Service;
  /** The query's datasets, if known. They determine the edge deployment. */
  readonly datasets?: readonly string[] | undefined;
  /** Whether a user is waiting for the answer and may be asked which addresses may get the token. */
  readonly askPerson?: boolean;
  /** The time limit for all attempts, until the last byte is received. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The maximum size of the unpacked body in bytes. A longer answer is refused. */
  readonly maxBytes?: number;
  /** Whether to skip retries after a failure. */
  readonly isOptional?: boolean;
  /** Whether to request the rows row by row, so that the sink can read the first ones before all have arrived. */
  readonly byRow?: boolean;
}

const VALUE_BYTES_MAX = 64 * 1024 * 1024;

const DEFAULT_BYTES_MAX = 1024 * 1024 * 1024;

/**
 * Sends a query and passes the body to the sink. Never throws. Repeats the request after a temporary failure of the
 * service, unless the body has begun. Aborting the signal closes the connection, which stops the query.
 */
export async function ask<T>(
  question: Question,
  { service, datasets, askPerson, byRow, maxBytes = DEFAULT_BYTES_MAX, ...asking }: Asking,
  sink: AnswerSink<T>,
): Promise<Outcome<T>> {
  const started = performance.now();
  const route = await service.route('query', { datasets, ask: askPerson });
  if (!route.ok) {
    sink.abort();
    return route;
  }
  const { value: to } = route;
  const address = to.kind === 'edge' ? to.address : service.connection.general;
  const { host } = new URL(address);
  let refused: unknown;
  const take = async (chunk: Chunk): Promise<SharedArrayBuffer | undefined> => {
    try {
      return await sink.chunk(chunk);
    } catch (error) {
      refused = error;
      throw error;
    }
  };
  const { timeoutMs, signal, isOptional } = asking;
  const call = {
    timeoutMs,
    ...(signal && { signal }),
    ...(isOptional && { isOptional }),
  };
  const answer = await (to.kind === 'edge'
    ? service.stream(
        'queryEdge',
        {
          ...call,
          query: { format: byRow ? 'tabular-rows' : 'tabular' },
          body: question,
          edge: address,
        },
        take,
        maxBytes,
      )
    : service.stream(
        'queryGeneral',
        { ...call, query: { format: 'tabular' }, body: generalQuestion(question) },
        take,
        maxBytes,
      ));
  if (!answer.ok) {
    sink.abort();
    const cancelled = answer.failure.kind === 'cancelled' || answer.failure.kind === 'timeout';
    return refused === undefined || cancelled ? answer : failed(sinkFailure(refused, host));
  }
  const arrival: Arrival = {
    roundTripMilliseconds: performance.now() - started,
    ...identifiersOf(answer.value),
    ...(to.kind === 'general' && to.notices.length > 0 && { notices: to.notices }),
  };
  const trace = arrival.traceId === undefined ? {} : { traceId: arrival.traceId };
  try {
    return { ok: true, value: await sink.finish(arrival), ...trace };
  } catch (error) {
    return failed({ ...sinkFailure(error, host), ...trace });
  }
}

/** Sends a query and returns its small answer as a value. The answer is read tolerantly. */
export async function askForValue(
  question: Question,
  asking: Asking,
): Promise<Outcome<ReadResponse<'queryEdge'>>> {
  return ask(question, { maxBytes: VALUE_BYTES_MAX, ...asking }, new AnswerValue());
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Quotes a dataset's or field's name for a query, in brackets. */
export function bracketed(name: string): string {
  return `['${name.replace(/[\\'\n\r\t]/g, (character) => escapes[character] as string)}']`;
}

/** Returns the question without members that the general address doesn't support. */
function generalQuestion({
  includeCursorField: _,
  defaultLimit,
  defaultOrder,
  maxBinAutoGroups,
  ...question
}: Question): Body<'queryGeneral'> {
  return question;
}

function identifiersOf(answer: HttpAnswer): Pick<Arrival, 'traceId' | 'historyId'> {
  const traceId = answer.header(RESPONSE_HEADERS.trace);
  const historyId = answer.header(RESPONSE_HEADERS.historyQuery);
  return { ...(traceId && { traceId }), ...(historyId && { historyId }) };
}

/** Converts an unexpected error outside the request, such as unreadable secret storage, to a failure. */
export function notRunFailure(error: unknown, host: string): Failure {
  return { kind: 'unreadable', host, message: `The query was not run: ${errorMessage(error)}` };
}

function sinkFailure(error: unknown, host: string): Failure {
  const why = errorMessage(error);
  const kind = error instanceof SinkFailure ? error.kind : 'unreadable';
  const message =
    kind === 'unreadable'
      ? `The response of ${host} is not valid: ${why.replace(/\.$/, '')}.`
      : why;
  return { kind, host, message };
}

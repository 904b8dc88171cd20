// Provides what the tools for agents read from a deployment. Independent of VS Code, so that the command line uses it too.
import type {
  AgentContext,
  AnswerTable,
  FieldInfo,
  QueryAnswer,
  Result,
} from '../../../agents/src/index.ts';
import { stringifyJson } from '../../../api/src/plain.ts';
import { kinds } from '../../../resources/src/kinds.ts';
import { listRecords } from '../resources/calls.ts';
import { deploymentStore } from '../resources/folders/deploymentStore.ts';
import { askForValue } from '../service/ask.ts';
import type { Failure, Outcome } from '../service/failure.ts';
import { fetchDatasets, fetchFields, type KnownField } from '../service/schema.ts';
import { sendEvents } from '../service/sendEvents.ts';
import type { Service } from '../service/service.ts';
import { errorMessage } from '../words/errors.ts';

/** Maximum size of a query's answer in bytes. It is parsed at once, so a larger one would take much memory. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

type Answer = Extract<Awaited<ReturnType<typeof askForValue>>, { ok: true }>['value'];

type ServiceContext = Pick<
  AgentContext,
  'ask' | 'datasets' | 'fields' | 'resources' | 'documentProblems'
> &
  Required<Pick<AgentContext, 'ingest'>>;

interface ServiceAccess {
  /** Returns the deployment's service. May reject with a reason for the model. */
  service(): Promise<Outcome<Service>>;
  /** Makes `service` connect again, after the deployment was restarted at another address. */
  reconnect?(unreachable: Service): Promise<void>;
  /** What to do without a valid token. */
  readonly tokenAdvice?: string;
}

export function serviceContext({ service, reconnect, tokenAdvice }: ServiceAccess): ServiceContext {
  const listed = new Map<string, readonly KnownField[]>();

  /** Calls the deployment. If it was restarted at another address since, connects again. */
  async function call<T, U>(
    work: (service: Service) => Promise<Outcome<T>>,
    convert: (value: T) => U,
    requiredAccess?: string,
  ): Promise<Result<U>> {
    try {
      const found = await service();
      let outcome = found.ok ? await work(found.value) : found;
      if (found.ok && !outcome.ok && isGone(outcome.failure) && reconnect) {
        await reconnect(found.value);
        const again = await service();
        outcome = again.ok ? await work(again.value) : again;
      }
      if (outcome.ok) return { ok: true, value: convert(outcome.value) };
      const { failure } = outcome;
      const message = messageOf(failure, requiredAccess);
      const lacksToken = failure.kind === 'token' || failure.status === 401;
      return {
        ok: false,
        message: lacksToken && tokenAdvice ? `${message} ${tokenAdvice}` : message,
      };
    } catch (error) {
      return { ok: false, message: errorMessage(error) };
    }
  }

  return {
    ask: ({ apl, startTime, endTime, defaultLimit, datasets, timeoutMs }, signal) =>
      call(
        (found) =>
          askForValue(
            { apl, startTime, endTime, defaultLimit },
            { service: found, datasets, timeoutMs, signal, maxBytes: ANSWER_BYTES_MAX },
          ),
        answerOf,
      ),
    datasets: () =>
      call(fetchDatasets, ({ datasets, complete, fields }) => {
        listed.clear();
        for (const [name, own] of fields) listed.set(name, own);
        return { datasets, complete };
      }),
    fields: ({ name, kind }) =>
      call(
        (found) => fetchFields(found, name, { kind, listed: listed.get(name) }),
        ({ sources, complete }) => {
          const all = new Map<string, FieldInfo>();
          for (const field of Object.values(sources).flat()) {
            if (field !== undefined) all.set(field.name, field);
          }
          return { fields: [...all.values()], complete };
        },
      ),
    resources: (kind, dataset, signal) =>
      call(
        (found) => listRecords(found, kind, { dataset, signal, all: true }),
        (records) => records,
        kinds[kind].requiredAccess,
      ),
    async documentProblems(kind, action, body) {
      const found = await service();
      if (!found.ok) throw new Error(found.failure.message);
      return deploymentStore(found.value).problems(kind, action, body);
    },
    ingest: (dataset, events, signal) =>
      call(
        (found) =>
          sendEvents(found, dataset, {
            body: new TextEncoder().encode(stringifyJson(events)),
            contentType: 'application/json',
            signal,
          }),
        ({ typed }) => ({
          stored: typed.ingested,
          failed: typed.failed,
          messages: (typed.failures ?? []).flatMap(({ error }) => error ?? []),
        }),
      ),
  };
}

/** Returns whether a request certainly did not arrive, so that it can be sent to another address. */
function isGone({ kind, sent }: Failure): boolean {
  return kind === 'unreachable' && sent === false;
}

/** Describes a failure, with its positions in the query and the access that the token lacks. */
function messageOf({ message, status, places = [] }: Failure, requiredAccess?: string): string {
  const positions = places.slice(0, 5).map(({ line, column, message: at }) => {
    const position = `\n${line}:${column ?? 1}`;
    return at === message ? position : `${position} ${at}`;
  });
  const isForbidden = status === 403 && requiredAccess !== undefined;
  const advice = isForbidden ? ` Use a token with ${requiredAccess}.` : '';
  return `${message}${positions.join('')}${advice}`;
}

function answerOf({ status, tables }: Answer): QueryAnswer {
  return {
    tables: (tables ?? []).map(
      ({ name, fields, columns }): AnswerTable => ({
        name: name ?? '',
        fields,
        columns: columns ?? [],
      }),
    ),
    rowsExamined: status.rowsExamined ?? 0,
    rowsMatched: status.rowsMatched ?? 0,
    elapsedMilliseconds: (status.elapsedTime ?? 0) / 1_000,
    isPartial: status.isPartial ?? false,
    messages: (status.messages ?? []).flatMap(({ msg }) => msg ?? []),
  };
}

// Provides what the tools for agents read from a deployment. Independent of VS Code, so that the command line uses it too.
import type {
  AgentContext,
  AnswerTable,
  FieldInfo,
  QueryAnswer,
  Result,
} from '../../../agents/src/index.ts';
import { stringifyJson } from '../../../api/src/plain.ts';
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
  /** Closes the connection, so that `service` connects again. Called if the deployment was restarted elsewhere. */
  reconnect?(): Promise<void>;
}

export function serviceContext({ service, reconnect }: ServiceAccess): ServiceContext {
  const listed = new Map<string, readonly KnownField[]>();

  /** Calls the deployment. If it was restarted at another address since, connects again. */
  async function call<T, U>(
    work: (service: Service) => Promise<Outcome<T>>,
    convert: (value: T) => U,
  ): Promise<Result<U>> {
    const attempt = async () => {
      const found = await service();
      return found.ok ? work(found.value) : found;
    };
    try {
      let outcome = await attempt();
      if (!outcome.ok && isGone(outcome.failure) && reconnect) {
        await reconnect();
        outcome = await attempt();
      }
      if (outcome.ok) return { ok: true, value: convert(outcome.value) };
      return { ok: false, message: messageOf(outcome.failure) };
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
    async resources(kind, dataset, signal) {
      try {
        const found = await service();
        if (!found.ok) return { ok: false, message: found.failure.message };
        const list = await deploymentStore(found.value, signal).list(kind, dataset);
        if (list.ok) return list;
        if (list.isFatal) await reconnect?.();
        return { ok: false, message: list.reason };
      } catch (error) {
        return { ok: false, message: errorMessage(error) };
      }
    },
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

/** Describes a failure, with its positions in the query. */
function messageOf({ message, places = [] }: Failure): string {
  const positions = places
    .slice(0, 5)
    .map(({ line, column, message: at }) => `\n${line}:${column ?? 1} ${at}`);
  return `${message}${positions.join('')}`;
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

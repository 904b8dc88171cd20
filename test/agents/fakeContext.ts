// A context whose answers a test chooses, for tests of what the tools make of them.
import type {
  AgentContext,
  AnswerTable,
  FieldInfo,
  QueryAnswer,
  QueryRequest,
} from '../../agents/src/index.ts';

interface Fake {
  readonly fields?: readonly FieldInfo[];
  readonly tables?: readonly AnswerTable[];
}

export const noEvents: QueryAnswer = {
  tables: [],
  rowsExamined: 0,
  rowsMatched: 0,
  elapsedMilliseconds: 1,
  isPartial: false,
  messages: [],
};

/** Requests that the context received. */
export type Recorded = AgentContext & { readonly requests: QueryRequest[] };

/** A context with the dataset `logs`. Members of `own` replace those of the context. */
export function fakeContext(
  { fields = [], tables = [] }: Fake = {},
  own: Partial<AgentContext> = {},
): Recorded {
  const requests: QueryRequest[] = [];
  return {
    requests,
    deployment: 'the local deployment',
    applyAdvice: 'A person can apply it.',
    ask: async (request) => {
      requests.push(request);
      return { ok: true, value: { ...noEvents, tables } };
    },
    datasets: async () => ({
      ok: true,
      value: { datasets: [{ name: 'logs', kind: 'dataset' }], complete: true },
    }),
    fields: async () => ({ ok: true, value: { fields, complete: true } }),
    resources: async () => ({ ok: true, value: [] }),
    documentProblems: async () => [],
    workspaceQueries: async () => [],
    page: () => undefined,
    redact: (text) => text,
    ...own,
  };
}

export const neverAborted = new AbortController().signal;

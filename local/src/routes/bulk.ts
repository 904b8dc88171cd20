/** Handles bulk requests of Elasticsearch clients. Stores events without their identifiers. */
import { randomBytes } from 'node:crypto';
import type { BulkItem, BulkServer } from '../../../api/src/index.ts';
import { type Action, readActions } from '../bulk/actions.ts';
import { checkEdge } from '../edges.ts';
import { PRODUCT_HEADER } from '../errorFormats.ts';
import { ApiError } from '../errors.ts';
import { ingestJson } from '../store/ingest/ingest.ts';
import { datasetOf } from '../store/ingest/target.ts';
import { type Call, type Handlers, IngestReply, Reply } from './handler.ts';

export const bulkHandlers = {
  bulkIngest: (call) => bulk(call),
  bulkIngestGeneral: (call) => bulk(call),
  getBulkServer: (call) => describeServer(call),
  getBulkServerGeneral: (call) => describeServer(call),
} satisfies Handlers;

/** Clients of versions 7, 8 and 9 accept this version number. */
const server: BulkServer = {
  name: 'local',
  cluster_name: 'local',
  cluster_uuid: 'local',
  version: {
    number: '8.19.0',
    build_flavor: 'default',
    lucene_version: '9.12.2',
    minimum_wire_compatibility_version: '7.17.0',
    minimum_index_compatibility_version: '7.0.0',
  },
  tagline: 'You Know, for Search',
};

type ServerCall = Call<'getBulkServer' | 'getBulkServerGeneral'>;

function describeServer({ store, params, edge, origin }: ServerCall): Reply {
  checkEdge(store, datasetOf(store, params.dataset_name).layout.name, edge, origin);
  return new Reply(200, server, PRODUCT_HEADER);
}

interface Problem {
  readonly type: string;
  readonly reason: string;
}

async function bulk(call: Call<'bulkIngest' | 'bulkIngestGeneral'>): Promise<IngestReply> {
  const start = performance.now();
  const { store, body, params, edge, origin } = call;
  checkEdge(store, params.dataset_name, edge, origin);
  const { length } = body;
  const actions = readActions(await body.bytes());
  if (actions.length === 0) throw new ApiError('events-empty');
  const problems = new Map<Action, Problem>();
  for (const action of actions) {
    if (action.name === 'update' || action.name === 'delete') problems.set(action, unsupported);
  }
  await storeDocuments(call, actions, problems);
  // One call for all random bytes is faster than a call per identifier.
  const fresh = randomBytes(ID_BYTES * actions.length);
  const items = actions.map((action, index): BulkItem => {
    const problem = problems.get(action);
    const id = fresh.toString('base64url', index * ID_BYTES, (index + 1) * ID_BYTES);
    const named = { _index: action.index ?? params.dataset_name, _id: action.id ?? id };
    const result =
      problem === undefined
        ? { ...named, _version: 1, result: 'created', status: 201 }
        : { ...named, status: 400, error: problem };
    return { [action.name]: result };
  });
  const took = Math.round(performance.now() - start);
  return new IngestReply({ took, errors: problems.size > 0, items }, length, PRODUCT_HEADER);
}

const ID_BYTES = 15;

const unsupported: Problem = {
  type: 'illegal_argument_exception',
  reason: 'The events of a dataset cannot be updated or deleted. Use index or create.',
};

/** Stores the documents of valid actions. Adds invalid documents to `problems`. */
async function storeDocuments(
  { store, params, query, body, now, signal }: Call<'bulkIngest' | 'bulkIngestGeneral'>,
  actions: readonly Action[],
  problems: Map<Action, Problem>,
): Promise<void> {
  const timeField = query['timestamp-field'] || '@timestamp';
  const options = { timeField, timeLayout: undefined, labels: new Map(), now, signal };
  const ingest = async () => {
    const remaining = actions.filter((action) => !problems.has(action));
    if (remaining.length === 0) return;
    const lines = remaining.flatMap(({ document }) => [document!, NEWLINE]);
    // The documents share the body's memory, so copy them before replacing the body.
    await body.replace(Buffer.concat(lines));
    const name = params.dataset_name;
    const stored = await ingestJson(store, name, body, 'newline_delimited', options);
    for (const [at, { error }] of stored.failures.entries()) {
      problems.set(
        remaining[stored.failed[at]! - 1]!,
        parsingProblem(error.replace(/^event \d+: /, '')),
      );
    }
  };
  try {
    await ingest();
  } catch (error) {
    // Nothing was stored because of invalid JSON, so try again without the invalid documents.
    if (!(error instanceof ApiError) || error.reason !== 'events-malformed') throw error;
    const known = problems.size;
    for (const action of actions) {
      const problem = problems.has(action) ? undefined : problemOf(action.document!);
      if (problem !== undefined) problems.set(action, parsingProblem(problem));
    }
    if (problems.size === known) throw error;
    await ingest();
  }
}

const NEWLINE = Buffer.from('\n');

function problemOf(document: Buffer): string | undefined {
  try {
    JSON.parse(document.toString());
    return undefined;
  } catch (error) {
    return `it is not valid JSON: ${(error as Error).message}`;
  }
}

function parsingProblem(reason: string): Problem {
  return { type: 'document_parsing_exception', reason };
}

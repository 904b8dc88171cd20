/**
 * Queries to measure with: made here, in the shapes that people write, so that a clone measures without
 * anything beside it; or the documentation's own, where APLOMB_CORPORA names a folder that has them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, seeded } from '../../language/random.ts';

export interface Queries {
  /** Where they are from, for whoever reads the figures. */
  readonly source: string;
  readonly texts: readonly string[];
}

/** The same queries at every call. */
export function queriesToMeasure(): Queries {
  const folder = process.env.APLOMB_CORPORA;
  if (folder === undefined) return { source: '300 generated queries', texts: generated(300) };
  const path = join(folder, 'corpus/apl-docs.jsonl');
  const texts = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): { kind: string; query: string } => JSON.parse(line))
    .filter(({ kind }) => kind === 'query')
    .map(({ query }) => query);
  return { source: `${texts.length} queries of ${path}`, texts };
}

/** A file of queries, each unlike the others, with exactly so many lines. */
export function fileOf(lines: number): string {
  const texts = generated(lines / 2);
  const unique = [...new Set(texts)].join('\n\n').split('\n');
  if (unique.length < lines) throw new RangeError('too few queries were made');
  return unique.slice(0, lines).join('\n');
}

/** What a dataset has for the stages below to name. */
interface Columns {
  readonly source: string;
  readonly texts: readonly string[];
  readonly values: readonly string[];
  readonly numbers: readonly string[];
  readonly amounts: readonly string[];
  readonly flag: string;
  readonly key: string;
}

const datasets: readonly Columns[] = [
  {
    source: "['sample-http-logs']",
    texts: [
      'method',
      'uri',
      'status',
      "['geo.city']",
      "['geo.country']",
      'server_datacenter',
      'user_agent',
    ],
    values: ["'GET'", "'POST'", "'500'", "'/api/v1/items'", "'Berlin'", "'eu-central'"],
    numbers: ['req_duration_ms', 'resp_body_size_bytes', 'resp_header_size_bytes'],
    amounts: ['10', '250', '1000', '1.5', '1000000'],
    flag: 'is_tls',
    key: 'id',
  },
  {
    source: "['otel-demo-traces']",
    texts: [
      "['service.name']",
      'name',
      'kind',
      'status_code',
      "['resource.host.name']",
      "['attributes.http.route']",
    ],
    values: ["'frontend'", "'checkout'", "'server'", "'GET /cart'", "'ERROR'"],
    numbers: ['duration'],
    amounts: ['10ms', '250ms', '1s', '5m'],
    flag: 'error',
    key: 'trace_id',
  },
];

type Stage = (random: Random, columns: Columns) => string;

const text: Stage = (random, { texts }) => random.pick(texts);
const value: Stage = (random, { values }) => random.pick(values);
const number: Stage = (random, { numbers }) => random.pick(numbers);
const amount: Stage = (random, { amounts }) => random.pick(amounts);
const step: Stage = (random) => random.pick(['1m', '5m', '15m', '1h', '6h', '1d']);
const count: Stage = (random) => random.pick(['5', '10', '20', '50', '100']);

/** Stages that keep the columns of their source. */
const narrowing: readonly Stage[] = [
  (r, c) => `where ${text(r, c)} == ${value(r, c)}`,
  (r, c) => `where ${text(r, c)} != ${value(r, c)} and ${number(r, c)} > ${amount(r, c)}`,
  (r, c) => `where ${text(r, c)} has ${value(r, c)} or ${text(r, c)} contains ${value(r, c)}`,
  (r, c) => `where ${text(r, c)} in (${value(r, c)}, ${value(r, c)}, ${value(r, c)})`,
  (r, c) => `where isnotempty(${text(r, c)}) and not(${c.flag})`,
  (r, c) => `where ${text(r, c)} startswith ${value(r, c)} and _time > ago(${step(r, c)})`,
  (r, c) => `where ${text(r, c)} matches regex ${value(r, c)}`,
  (r) => `where _time between (ago(7d) .. ago(${r.pick(['1h', '6h', '1d'])}))`,
];

const adding: readonly Stage[] = [
  (r, c) => `extend short = substring(${text(r, c)}, 0, ${count(r, c)})`,
  (r, c) => `extend slow = iff(${number(r, c)} > ${amount(r, c)}, 'slow', 'fast')`,
  (r, c) => `extend parts = split(${text(r, c)}, '/'), day = startofday(_time)`,
  (r, c) =>
    `extend label = strcat(${text(r, c)}, ' - ', ${text(r, c)}), size = strlen(${text(r, c)})`,
  (r, c) =>
    `extend band = case(${number(r, c)} < ${amount(r, c)}, 'low', ${number(r, c)} < ${amount(r, c)}, 'middle', 'high')`,
  (r, c) => `extend found = extract('([a-z]+)', 1, ${text(r, c)}), upper = toupper(${text(r, c)})`,
  (r, c) => `parse ${text(r, c)} with * '/' version:string '/' rest`,
];

const ending: readonly Stage[] = [
  (r, c) => `summarize count() by ${text(r, c)}, bin(_time, ${step(r, c)})\n| order by count_ desc`,
  (r, c) =>
    `summarize total = count(), slowest = max(${number(r, c)}) by ${text(r, c)}\n| top ${count(r, c)} by total desc`,
  (r, c) => `summarize avg(${number(r, c)}), percentile(${number(r, c)}, 95) by ${text(r, c)}`,
  (r, c) =>
    `summarize bad = countif(${text(r, c)} == ${value(r, c)}), all = count() by bin(_time, ${step(r, c)})\n| extend share = 100.0 * bad / all`,
  (r, c) =>
    `summarize dcount(${text(r, c)}), arg_max(_time, ${text(r, c)}) by ${c.key}\n| take ${count(r, c)}`,
  (r, c) =>
    `project _time, ${text(r, c)}, ${number(r, c)}, took = ${number(r, c)} * 2\n| sort by _time desc\n| take ${count(r, c)}`,
  (r, c) => `distinct ${text(r, c)}, ${text(r, c)}\n| limit ${count(r, c)}`,
  (r, c) =>
    `project-away ${text(r, c)}\n| sort by ${number(r, c)} desc nulls last\n| take ${count(r, c)}`,
  (r, c) =>
    `join kind=inner (\n    ${c.source}\n    | where ${text(r, c)} == ${value(r, c)}\n    | project ${c.key}, other = ${text(r, c)}\n  ) on ${c.key}\n| summarize make_set(other, ${count(r, c)}) by ${text(r, c)}`,
  (r, c) =>
    `make-series avg(${number(r, c)}) default = 0 on _time from ago(1d) to now() step ${step(r, c)} by ${text(r, c)}`,
];

/** Queries of two to six stages; the first so many of an endless row. */
function generated(wanted: number): string[] {
  const random = seeded(20_241);
  return Array.from({ length: wanted }, () => {
    const columns = random.pick(datasets);
    const some = (of: readonly Stage[], most: number) =>
      Array.from({ length: random.below(most + 1) }, () => random.pick(of)(random, columns));
    const stages = [
      random.pick(narrowing)(random, columns),
      ...some(narrowing, 1),
      ...some(adding, 2),
      random.pick(ending)(random, columns),
    ];
    const limit = random.below(4) === 0 ? [`let threshold = ${random.pick(columns.amounts)};`] : [];
    if (limit.length > 0) stages.splice(1, 0, `where ${random.pick(columns.numbers)} >= threshold`);
    return [...limit, columns.source, ...stages.map((stage) => `| ${stage}`)].join('\n');
  });
}

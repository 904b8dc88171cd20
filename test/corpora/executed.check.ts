// The documentation's queries, run: every sound one over HTTP against datasets made up from what the queries
// show of them, and where the page's output follows from the query alone, whether it is the answer.
// Read from the folder that APLOMB_CORPORA names, as the other checks are.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkStrict, TabularResult } from '../../api/src/index.ts';
import { analyzeQuery } from '../../language/src/index.ts';
import { Deployment, rowsOf } from '../local/deployment.ts';
import { random } from '../local/random.ts';
import { type Entry, nameOf, readEntries } from './documentation.ts';
import { fieldValue, kindOf } from './events.ts';
import { contradictions, refusals } from './refusals.ts';
import { isShown, shownValues } from './shown.ts';
import { type Use, usesOf } from './uses.ts';

type Row = Readonly<Record<string, unknown>>;
type Outcome =
  | { readonly rows: readonly Row[] }
  | { readonly refused: string; readonly why: string };

const eventsPerDataset = 80;
const mostRefusedReasons = 8;
const leastWithRows = 0.97;
const sideBySide = 4;
const day = 86_400_000;

describe('the queries of the documentation', () => {
  const sound = readEntries().filter(({ kind, issues }) => kind === 'query' && !issues);
  const outcomes = new Map<string, Outcome>();
  /** What is no answer and no refusal with a code. */
  const failures: object[] = [];
  let local: Deployment;

  before(async () => {
    local = await Deployment.open();
    for (const [name, fields] of usesOf(sound.map(({ query }) => query))) await fill(name, fields);
    const waiting = [...sound];
    await Promise.all(Array.from({ length: sideBySide }, () => runAll(waiting)));
  });
  after(() => local.close());

  async function fill(name: string, fields: ReadonlyMap<string, Use>): Promise<void> {
    const next = random(name.length * 7919 + fields.size);
    const now = Date.now();
    const stored = [...fields].filter(([field]) => field !== '_time' && field !== '_sysTime');
    await local.dataset(name);
    const maps = stored.filter(([, use]) => kindOf(use) === 'map').map(([field]) => field);
    const path = `/v2/datasets/${encodeURIComponent(name)}/mapfields`;
    assert.equal((await local.call('PUT', path, maps)).status, 200);
    const events = Array.from({ length: eventsPerDataset }, () => ({
      _time: new Date(now - next(day)).toISOString(),
      ...Object.fromEntries(stored.map(([field, use]) => [field, fieldValue(use, now, next)])),
    }));
    await local.stored(name, events);
  }

  async function runAll(waiting: Entry[]): Promise<void> {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const { status, body } = await local.query(entry.query, {
        startTime: 'now-2d',
        endTime: 'now',
      });
      const name = nameOf(entry);
      const code = body?.errors?.[0]?.code ?? body?.reason;
      const problems = status === 200 ? checkStrict(TabularResult, body) : [];
      if (status === 200) outcomes.set(name, { rows: rowsOf(body.tables[0]) });
      else outcomes.set(name, { refused: code, why: body?.message });
      const isRefusal = status >= 400 && status < 500 && typeof code === 'string';
      if ((status !== 200 && !isRefusal) || problems.length > 0) {
        failures.push({ name, query: entry.query, status, body, problems });
      }
    }
  }

  const outcomeOf = (name: string) => outcomes.get(name) as Outcome;

  it('run, each of them, or are refused with a code', () => {
    assert.equal(outcomes.size, sound.length);
    assert.ok(sound.length > 750);
    assert.deepEqual(failures, []);
  });

  it('are refused for few reasons only, all of them known', () => {
    assert.ok(refusals.length <= mostRefusedReasons);
    const refused = [...outcomes].flatMap(([name, outcome]) =>
      'refused' in outcome ? [{ name, ...outcome }] : [],
    );
    const covers = (entry: string, name: string) => name === entry || name.startsWith(`${entry}:`);
    const isKnown = ({ name, refused: code }: (typeof refused)[number]) =>
      refusals.some((one) => one.code === code && one.entries.some((entry) => covers(entry, name)));
    assert.deepEqual(
      refused.filter((one) => !isKnown(one)),
      [],
    );
    const unused = refusals
      .flatMap(({ entries }) => entries)
      .filter((entry) => !refused.some(({ name }) => covers(entry, name)));
    assert.deepEqual(unused, []);
  });

  it('find rows in what the queries themselves ask for', (t) => {
    const answered = [...outcomes.values()].filter((outcome) => 'rows' in outcome);
    const withRows = answered.filter(({ rows }) => rows.length > 0);
    t.diagnostic(`${answered.length} of ${sound.length} answer, ${withRows.length} with rows.`);
    assert.ok(withRows.length >= leastWithRows * answered.length);
  });

  it('give the values that their pages show, where these follow from the query', (t) => {
    const known = new Set(contradictions.map(({ entry, column }) => `${entry} ${column}`));
    const compared = sound.flatMap((entry) => {
      const outcome = outcomeOf(nameOf(entry));
      if ('refused' in outcome) return [];
      const { bound } = analyzeQuery(entry.query);
      return [...shownValues(entry, bound)].map(([column, shown]) => ({
        name: `${nameOf(entry)} ${column}`,
        actual: outcome.rows.map((row) => row[column]),
        shown,
      }));
    });
    const differs = ({ actual, shown }: (typeof compared)[number]) =>
      actual.length === 0 || !actual.every((value) => isShown(value, shown[0]));
    t.diagnostic(`${compared.length} columns compared, ${known.size} of them contradictions.`);
    assert.ok(compared.length >= 45);
    assert.deepEqual(
      compared.filter((one) => differs(one) && !known.has(one.name)),
      [],
    );
    const agreeing = compared.filter((one) => !differs(one)).map(({ name }) => name);
    const reached = new Set(compared.map(({ name }) => name));
    assert.deepEqual(
      [...known].filter((name) => !reached.has(name) || agreeing.includes(name)),
      [],
    );
  });
});

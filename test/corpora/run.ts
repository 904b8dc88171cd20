/**
 * Queries of the documentation run over HTTP against datasets filled for them. What comes back is an answer, a
 * refusal with a code, or a failure: a status that is no refusal, or a body that is no answer.
 */
import assert from 'node:assert/strict';
import { checkStrict, TabularResult } from '../../api/src/index.ts';
import { Deployment, rowsOf } from '../local/deployment.ts';
import { type Random, random } from '../local/random.ts';
import { type Entry, nameOf } from './documentation.ts';
import { kindOf, type Value } from './events.ts';
import { type Use, usesOf } from './uses.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Outcome =
  | { readonly rows: readonly Row[] }
  | { readonly refused: string; readonly why: string };

export interface Run {
  /** By the entry's name. */
  readonly outcomes: Map<string, Outcome>;
  readonly failures: object[];
}

/** The value of a field in an event, given what queries take the field for and the time in milliseconds. */
export type Fill = (use: Use, now: number, random: Random) => Value;

const eventsPerDataset = 80;
const sideBySide = 4;
const day = 86_400_000;

/** A deployment with the datasets that the queries name, and in them the fields they name. */
export async function openFilled(queries: readonly string[], fill: Fill): Promise<Deployment> {
  const local = await Deployment.open();
  for (const [name, fields] of usesOf(queries)) {
    const next = random(name.length * 7919 + fields.size);
    const now = Date.now();
    const stored = [...fields].filter(([field]) => field !== '_time' && field !== '_sysTime');
    await local.dataset(name);
    const maps = stored.filter(([, use]) => kindOf(use) === 'map').map(([field]) => field);
    const path = `/v2/datasets/${encodeURIComponent(name)}/mapfields`;
    assert.equal((await local.call('PUT', path, maps)).status, 200);
    const events = Array.from({ length: eventsPerDataset }, () => ({
      _time: new Date(now - next(day)).toISOString(),
      ...Object.fromEntries(stored.map(([field, use]) => [field, fill(use, now, next)])),
    }));
    await local.stored(name, events);
  }
  return local;
}

export async function runAll(local: Deployment, entries: readonly Entry[]): Promise<Run> {
  const run: Run = { outcomes: new Map(), failures: [] };
  const waiting = [...entries];
  const worker = async () => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      await runOne(local, entry, run);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  return run;
}

async function runOne(local: Deployment, entry: Entry, run: Run): Promise<void> {
  const range = { startTime: 'now-2d', endTime: 'now' };
  const { status, body } = await local.query(entry.query, range);
  const name = nameOf(entry);
  const code = body?.errors?.[0]?.code ?? body?.reason;
  const problems = status === 200 ? checkStrict(TabularResult, body) : [];
  if (status === 200) run.outcomes.set(name, { rows: rowsOf(body.tables[0]) });
  else run.outcomes.set(name, { refused: code, why: body?.message });
  const isRefusal = status >= 400 && status < 500 && typeof code === 'string';
  if ((status !== 200 && !isRefusal) || problems.length > 0) {
    run.failures.push({ name, query: entry.query, status, body, problems });
  }
}

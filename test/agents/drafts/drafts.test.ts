// Kusto-style first drafts become running queries when an agent only applies the fixes that the tools offer. Drafts that
// don't are listed with the reason, so that neither a lost nor a new fix is missed.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { PlainClient, SampleDeployment } from '../harness.ts';
import { type Question, readQuestions } from './questions.ts';
import { sampleDatasets } from './sampleData.ts';
import { type Attempt, ScriptedAgent } from './scriptedAgent.ts';

const RUNNING_MIN = 90;

/** The numbers of the drafts that don't run in the end, and what APL lacks. */
const failures: Readonly<Record<number, string>> = {
  14: 'SQL as a whole: the query starts with select',
  25: 'row_number(): APL has no window functions',
  26: 'prev(): APL has no window functions',
  38: 'toscalar(): a join could replace it, but reads only 5,000 rows of its left side',
  40: 'pivot: its columns are the values of the data',
  49: 'toscalar(): a join could replace it, but reads only 5,000 rows of its left side',
  50: 'partition with a pipeline: APL has no other form',
  82: 'Level: the field is called severity, which no rule can know',
  95: 'row_cumsum(): APL has no window functions',
  96: 'autocluster: APL has no plugins',
};

/** The numbers of the drafts that run, but return other rows than the answers. */
const otherRows: readonly number[] = [];

let deployment: SampleDeployment;
let client: PlainClient;
let agent: ScriptedAgent;

before(async () => {
  deployment = await SampleDeployment.start([]);
  for (const { name, lines } of sampleDatasets()) {
    await deployment.post('/v2/datasets', { name });
    await deployment.send(name, lines);
  }
  client = await PlainClient.start(['--data', deployment.data]);
  agent = new ScriptedAgent(client);
});
after(async () => {
  await client.end();
  await deployment.dispose();
});

interface Outcome extends Attempt {
  readonly question: Question;
  readonly isEqual: boolean;
}

/** Attempts a draft between two runs of the answer, because events leave the range of a relative time meanwhile. */
async function outcomeOf(question: Question): Promise<Outcome> {
  const earlier = await agent.run(question.answer);
  const attempt = await agent.attempt(question.draft);
  const later = await agent.run(question.answer);
  const isEqual = [earlier, later].some(
    ({ rows }) => rows !== undefined && rows.join('\n') === attempt.rows?.join('\n'),
  );
  return { question, ...attempt, isEqual };
}

it(`at least ${RUNNING_MIN} of 100 drafts run, and return the rows of the answers`, async () => {
  assert.ok((await agent.readSchema()) > 40);
  const outcomes: Outcome[] = [];
  for (const question of readQuestions()) outcomes.push(await outcomeOf(question));
  const failed = outcomes.filter(({ rows }) => rows === undefined);
  const different = outcomes.filter(({ rows, isEqual }) => rows !== undefined && !isEqual);
  assert.deepEqual(numbersOf(failed), Object.keys(failures).map(Number), report(failed));
  assert.deepEqual(numbersOf(different), otherRows, report(different));
  assert.ok(outcomes.length - failed.length >= RUNNING_MIN, `${failed.length} failed`);
});

const numbersOf = (outcomes: readonly Outcome[]) => outcomes.map(({ question }) => question.number);

function report(outcomes: readonly Outcome[]): string {
  const shown = outcomes.map(
    ({ question, query, answer }) =>
      `${question.number}. ${question.question}\n${query}\n${answer}`,
  );
  return ['Unexpected outcomes among:', ...shown].join('\n\n');
}

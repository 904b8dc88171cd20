// The answers to the questions run over the sample data and have rows, so that drafts can be compared with them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Deployment } from '../../local/deployment.ts';
import { readQuestions } from './questions.ts';
import { sampleDatasets, sampleRange } from './sampleData.ts';

const questions = readQuestions();

describe('questions about the sample data', () => {
  let deployment: Deployment;
  before(async () => {
    deployment = await Deployment.open();
    for (const { name, lines } of sampleDatasets()) {
      await deployment.dataset(name);
      await deployment.stored(name, lines);
    }
  });
  after(() => deployment.close());

  it('there are 100, numbered in order, each asked once', () => {
    assert.deepEqual(
      questions.map(({ number }) => number),
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    assert.equal(new Set(questions.map(({ question }) => question)).size, 100);
    assert.equal(new Set(questions.map(({ draft }) => draft)).size, 100);
  });

  it('every answer runs and has rows', async () => {
    const wrong: string[] = [];
    for (const { number, question, answer } of questions) {
      const { status, text, body } = await deployment.query(answer, {
        startTime: sampleRange.from,
        endTime: sampleRange.to,
      });
      if (status !== 200) wrong.push(`${number}. ${question}: ${text}`);
      else if (!(body.tables[0].columns[0]?.length > 0))
        wrong.push(`${number}. ${question}: no rows`);
    }
    assert.deepEqual(wrong, []);
  });
});

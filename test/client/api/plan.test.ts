// Requests for the plan of a query, and how each kind of response is read.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askForPlan } from '../../../client/src/service/plan.ts';
import { json, LoopbackServer } from '../loopback.ts';

const question = {
  apl: 'logs\n| where x',
  startTime: 'now-1h',
  endTime: 'now',
  analyze: false,
};
const timeoutMs = 5_000;

async function failureOf(status: number, body: string) {
  await using server = await LoopbackServer.start((response) => json(response, status, body));
  const answer = await askForPlan(question, { service: server.service(), timeoutMs });
  assert.ok(!answer.ok);
  return answer.failure;
}

describe('a plan request', () => {
  it('sends the token, the query and its time range to /_local/plan', async () => {
    await using server = await LoopbackServer.start((response) =>
      json(response, 200, '{"plan":"-- Query\\n"}'),
    );
    const answer = await askForPlan(question, { service: server.service(), timeoutMs });
    assert.deepEqual(answer, { ok: true, value: '-- Query\n' });
    const [request] = server.received;
    assert.equal(`${request?.method} ${request?.url}`, 'POST /_local/plan');
    assert.equal(request?.headers.authorization, 'Bearer xaat-secret-token');
    assert.deepEqual(JSON.parse(String(request?.body)), question);
  });

  it("appends the engine's measurements to the plan if they are requested", async () => {
    await using server = await LoopbackServer.start((response, { body }) => {
      assert.equal(JSON.parse(String(body)).analyze, true);
      json(response, 200, '{"plan":"a\\n","engine":"b\\n"}');
    });
    const answer = await askForPlan(
      { ...question, analyze: true },
      { service: server.service(), timeoutMs },
    );
    assert.ok(answer.ok);
    assert.equal(answer.value, 'a\n\nb\n');
  });

  it('reports the line and column of a query error', async () => {
    const errors = [{ message: 'No x', code: 'unknown-column', line: 2, column: 9 }];
    const body = JSON.stringify({ code: 400, message: 'No x', errors });
    const failure = await failureOf(400, body);
    assert.equal(failure.kind, 'refused');
    assert.deepEqual(failure.places, [
      { message: 'No x.', code: 'unknown-column', line: 2, column: 9 },
    ]);
  });

  it('fails if the response contains no plan', async () => {
    for (const body of ['', 'plan', 'null', '[]', '{}', '{"plan":7}', '{"engine":"x"}']) {
      assert.equal((await failureOf(200, body)).kind, 'unreadable', body);
    }
    assert.equal((await failureOf(404, '{"message":"There is nothing here."}')).kind, 'refused');
  });

  it('fails as cancelled when aborted', async () => {
    const controller = new AbortController();
    await using server = await LoopbackServer.start(() => controller.abort());
    const answer = await askForPlan(question, {
      service: server.service(),
      timeoutMs,
      signal: controller.signal,
    });
    assert.ok(!answer.ok);
    assert.equal(answer.failure.kind, 'cancelled');
  });
});

// Saves of the host of the fields form, without the page.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FieldsHost } from '../../../client/src/fields/fieldsHost.ts';
import { LoopbackServer } from '../loopback.ts';

it('saving the unit of a field keeps a description that was changed concurrently', async () => {
  let field = { name: 'n', type: 'integer', unit: '', description: '', hidden: false };
  await using server = await LoopbackServer.start((response, { method, url, body }) => {
    if (method === 'PUT') field = JSON.parse(body.toString());
    const answer = method === 'PUT' ? field : url.endsWith('/mapfields') ? [] : [field];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const host = new FieldsHost({
    dataset: 'data',
    deployment: 'Test',
    local: false,
    service: async () => ({ ok: true, value: server.service() }),
    onSaved: () => {},
    onDraft: () => {},
    onProblem: (problem) => assert.fail(problem),
  });
  let receive: (message: unknown) => void = () => {};
  let reply: (message: unknown) => void = () => {};
  host.attach({
    post: (message) => reply(message),
    onMessage: (listener) => {
      receive = listener;
      return { dispose: () => {} };
    },
  });
  const ask = (call: number, name: string, content: unknown) =>
    new Promise((resolve) => {
      reply = resolve;
      receive({ kind: 'request', call, name, content });
    });
  await ask(0, 'load', null);
  field = { ...field, description: 'A number.' };
  const change = { fields: [{ name: 'n', unit: 'ms' }], addedMaps: [], removedMaps: [] };
  await ask(1, 'save', change);
  assert.deepEqual([field.unit, field.description], ['ms', 'A number.']);
});

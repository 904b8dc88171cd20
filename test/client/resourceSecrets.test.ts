// Secrets of notifiers: masked in whatever leaves the calls, kept by the deployment when a mask is sent back.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { NOTIFIER_KINDS } from '../../api/src/index.ts';
import { stringifyJson } from '../../api/src/plain.ts';
import {
  createRecord,
  getRecord,
  getWhole,
  listRecords,
  updateRecord,
} from '../../client/src/resources/calls.ts';
import { saveResource } from '../../client/src/resources/files/saving.ts';
import { creation, documentOf } from '../../resources/src/documents.ts';
import { idOf } from '../../resources/src/kinds.ts';
import { barePaths, MASK, masked } from '../../resources/src/secrets.ts';
import { type Members, valueAt, withValueAt } from '../../resources/src/value.ts';
import { Deployment } from '../local/deployment.ts';
import { json, LoopbackServer } from './loopback.ts';

const SECRET = 'T0P-5ECRET';
const at = (path: string) => `https://hooks.example.com/${SECRET}/${path}`;

const properties: Readonly<Record<(typeof NOTIFIER_KINDS)[number], Members>> = {
  email: { emails: ['a@example.com'] },
  slack: { slackUrl: at('slack') },
  discord: { discordChannel: 'alerts', discordToken: SECRET },
  discordWebhook: { discordWebhookUrl: at('discord') },
  pagerduty: { routingKey: SECRET, token: `${SECRET}-2` },
  opsgenie: { apiKey: SECRET, isEU: true },
  microsoftTeams: { microsoftTeamsUrl: at('teams') },
  webhook: { url: at('webhook') },
  customWebhook: {
    url: at('custom'),
    body: '{"action": "{{.Action}}"}',
    headers: { authorization: `Bearer ${SECRET}` },
    secretHeaders: { 'x-key': SECRET },
  },
};

describe('the secrets of a notifier', () => {
  let local: Deployment;
  let server: LoopbackServer;

  before(async () => {
    local = await Deployment.open();
    server = await LoopbackServer.start(async (response, { method, url, body }) => {
      const sent = body.length > 0 ? new Uint8Array(body) : undefined;
      const answer = await local.call(method, url, sent, { type: 'application/json' });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.text);
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await local.close();
  });

  for (const kind of NOTIFIER_KINDS) {
    it(`of the kind ${kind} are in no record, and stay when the rest is changed`, async () => {
      const service = server.service();
      const body = { name: `to ${kind}`, properties: { [kind]: properties[kind] } };
      const made = await createRecord(service, 'notifiers', body);
      assert.ok(made.ok, stringifyJson(made));
      const id = idOf('notifiers', made.value) as string;
      const read = await getRecord(service, 'notifiers', id);
      const listed = await listRecords(service, 'notifiers');
      assert.ok(read.ok && listed.ok);
      const shown = stringifyJson([made.value, read.value, listed.value]);
      assert.ok(!shown.includes(SECRET), shown);
      assert.equal(shown.includes(MASK), kind !== 'email');
      const document = documentOf('notifiers', read.value);
      const saved = await saveResource(service, 'notifiers', id, {
        base: read.value,
        written: { form: 'json', document: { ...document, name: 'renamed' } },
      });
      assert.equal(saved.kind, 'saved');
      assert.ok(!stringifyJson(saved).includes(SECRET));
      const whole = await getWhole(service, 'notifiers', id);
      assert.ok(whole.ok);
      assert.deepEqual(whole.value.properties, body.properties);
      assert.equal(whole.value.name, 'renamed');
    });
  }

  it('are changed where one is entered, and the others stay', async () => {
    const service = server.service();
    const body = { name: 'pager', properties: { pagerduty: properties.pagerduty } };
    const made = await createRecord(service, 'notifiers', body);
    assert.ok(made.ok);
    const id = idOf('notifiers', made.value) as string;
    const path = ['properties', 'pagerduty', 'token'];
    const document = withValueAt(documentOf('notifiers', made.value), path, 'entered') as Members;
    const saved = await saveResource(service, 'notifiers', id, {
      base: made.value,
      written: { form: 'json', document },
    });
    assert.ok(saved.kind === 'saved');
    assert.equal(valueAt(saved.record, path), MASK);
    const whole = await getWhole(service, 'notifiers', id);
    assert.ok(whole.ok);
    assert.deepEqual(whole.value.properties, {
      pagerduty: { routingKey: SECRET, token: 'entered' },
    });
  });

  it('are asked for where the deployment has none', async () => {
    const service = server.service();
    const copy = { name: 'copy', properties: { slack: { slackUrl: MASK } } };
    const made = await createRecord(service, 'notifiers', creation('notifiers', copy));
    assert.ok(!made.ok);
    assert.match(made.failure.message, /no stored value for properties\.slack\.slackUrl/);
    const other = await createRecord(service, 'notifiers', {
      name: 'other',
      properties: { email: properties.email },
    });
    assert.ok(other.ok);
    const id = idOf('notifiers', other.value) as string;
    const changed = await updateRecord(service, 'notifiers', id, copy);
    assert.ok(!changed.ok);
    assert.match(changed.failure.message, /Enter the value in place of the dots/);
    const now = await getRecord(service, 'notifiers', id);
    assert.equal(now.ok && now.value.name, 'other');
  });

  it('are in no message where a service repeats what it refuses', async () => {
    await using echo = await LoopbackServer.start((response, { body }) =>
      json(response, 400, { code: 400, message: `This is not valid: ${body}` }),
    );
    const body = { name: 'x', properties: { webhook: properties.webhook } };
    const made = await createRecord(echo.service(), 'notifiers', body);
    assert.ok(!made.ok);
    assert.match(made.failure.message, /This is not valid/);
    assert.ok(!stringifyJson(made).includes(SECRET), made.failure.message);
  });

  it('are masked in kinds of notifier that nobody knows yet', () => {
    const record = {
      name: 'future',
      properties: {
        pigeon: { loft: [SECRET, { key: SECRET, 'deep.er': { it: SECRET } }], speed: 3n, home: '' },
        slack: SECRET,
      },
    };
    const shown = masked('notifiers', record);
    assert.ok(!stringifyJson(shown).includes(SECRET));
    assert.equal(valueAt(shown, ['properties', 'pigeon', 'speed']), 3n);
    assert.equal(valueAt(shown, ['properties', 'pigeon', 'home']), '');
    assert.equal(barePaths('notifiers', shown).length, 0);
    assert.equal(
      stringifyJson(masked('notifiers', { properties: SECRET })).includes(SECRET),
      false,
    );
  });
});

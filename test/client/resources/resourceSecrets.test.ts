// Secrets of notifiers: masked in all results and messages, and kept by the deployment when a save sends a mask back.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { NOTIFIER_KINDS } from '../../../api/src/index.ts';
import { stringifyJson } from '../../../api/src/plain.ts';
import {
  createRecord,
  getRecord,
  getWhole,
  listRecords,
  updateRecord,
} from '../../../client/src/resources/calls.ts';
import { saveResource } from '../../../client/src/resources/files/saving.ts';
import { creationBody, documentOf } from '../../../resources/src/documents.ts';
import { idOf } from '../../../resources/src/kinds.ts';
import {
  formatPaths,
  MASK,
  maskSecrets,
  restoreSecrets,
  unmaskedPaths,
} from '../../../resources/src/secrets.ts';
import { type Members, valueAt, withValueAt } from '../../../resources/src/value.ts';
import { Deployment } from '../../local/deployment.ts';
import { threadMs } from '../../processorTime.ts';
import { json, LoopbackServer, serveDeployment } from '../loopback.ts';

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
    server = await serveDeployment(local);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await local.close();
  });

  for (const kind of NOTIFIER_KINDS) {
    it(`of the kind ${kind} are masked in every returned record and kept when other members change`, async () => {
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

  it('are replaced where a new value is entered and kept elsewhere', async () => {
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

  it('must be entered if the deployment has no stored value for the mask', async () => {
    const service = server.service();
    const copy = { name: 'copy', properties: { slack: { slackUrl: MASK } } };
    const made = await createRecord(service, 'notifiers', creationBody('notifiers', copy));
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
    assert.match(changed.failure.message, /Replace the dots with the value/);
    const now = await getRecord(service, 'notifiers', id);
    assert.equal(now.ok && now.value.name, 'other');
  });

  it('are removed from error messages in which the service repeats the request', async () => {
    await using echo = await LoopbackServer.start((response, { body }) =>
      json(response, 400, { code: 400, message: `This is not valid: ${body}` }),
    );
    const body = { name: 'x', properties: { webhook: properties.webhook } };
    const made = await createRecord(echo.service(), 'notifiers', body);
    assert.ok(!made.ok);
    assert.match(made.failure.message, /This is not valid/);
    assert.ok(!stringifyJson(made).includes(SECRET), made.failure.message);
  });

  it('are masked in unknown kinds of notifier', () => {
    const record = {
      name: 'future',
      properties: {
        pigeon: { loft: [SECRET, { key: SECRET, 'deep.er': { it: SECRET } }], speed: 3n, home: '' },
        slack: SECRET,
      },
    };
    const shown = maskSecrets('notifiers', record);
    assert.ok(!stringifyJson(shown).includes(SECRET));
    assert.equal(valueAt(shown, ['properties', 'pigeon', 'speed']), 3n);
    assert.equal(valueAt(shown, ['properties', 'pigeon', 'home']), '');
    assert.equal(unmaskedPaths('notifiers', shown).length, 0);
    assert.equal(
      stringifyJson(maskSecrets('notifiers', { properties: SECRET })).includes(SECRET),
      false,
    );
  });

  it('are masked outside "properties" if their names or values look like secrets', () => {
    const record = {
      id: 'n1',
      name: 'https://name.example',
      createdBy: 'usr_1',
      description: 'for the token of the night shift',
      accessToken: SECRET,
      signing_key: { value: SECRET, bits: 7 },
      target: `https://hooks.example.com/${SECRET}`,
      database: `postgres://me:${SECRET}@db.example`,
      properties: { pigeon: { pin: 42, speed: 42 } },
    };
    const shown = maskSecrets('notifiers', record);
    assert.ok(!stringifyJson(shown).includes(SECRET), stringifyJson(shown));
    const { id, name, createdBy, description } = record;
    assert.deepEqual(
      {
        id: shown.id,
        name: shown.name,
        createdBy: shown.createdBy,
        description: shown.description,
      },
      { id, name, createdBy, description },
    );
    assert.deepEqual(shown.properties, { pigeon: { pin: MASK, speed: 42 } });
    assert.deepEqual(shown['signing_key'], { value: MASK, bits: MASK });
    assert.deepEqual(restoreSecrets('notifiers', shown, record), { document: record, missing: [] });
  });

  it('cause the body of a custom webhook to be masked only if it seems to contain one of them', async () => {
    const plain = [
      '{"action": "{{.Action}}"}',
      '{"dedup_key": "{{.MonitorID}}", "severity": "critical", "key": {{.Key}}, "token": null}',
      '{"text": "{{.Title}} at https://wiki.example.com/runbooks/checkout-errors-of-2026?view=1"}',
      '{"tokens": [], "keys": ["{{.Key}}"], "auth": {"user": "{{.User}}"}, "secret": true}',
      '<alert><title>{{.Title}}</title><token>{{.Token}}</token><key/></alert>',
      '{"headers": [{"name": "Content-Type", "value": "text"}], "text": "a\\nb: c"}',
      '{"timestamp": 20260131083000123456, "source": "aplomb-checkout-service-production"}',
    ];
    const secret = [
      `{"routing_key": "${SECRET}", "summary": "{{.Title}}"}`,
      `{"apiKey": 12345, "summary": "{{.Title}}"}`,
      'token=abc&text={{.Title}}',
      `{"header": "Bearer ${SECRET}"}`,
      '{"link": "https://me:pass@example.com/"}',
      '{"send": "https://hooks.example.com/services/T0/B0"}',
      '{"send": "https://discord.example/api/webhooks/1/x"}',
      '{"id": "R0A1b2C3d4E5f6G7h8I9j0"}',
      // As JSON in a string, in a list, as a value that starts like JSON, and as XML.
      '{"payload": "{\\"token\\": \\"abc\\"}"}',
      '{"payload": "first\\nkey: abc"}',
      '{"send": "https:\\/\\/hooks.example.com\\/services\\/T0"}',
      '{"tokens": ["abc"]}',
      '{"password": "[abc"}',
      '{"password": "null-and-void"}',
      '{"pass": "abc"}',
      'https://example.com/run?sig=abc',
      '{"link": "https://example.com/run?view=1&token=abc"}',
      '{"link": "https://example.com/run?token=abc"}',
      '{"headers": [{"name": "Authorization", "value": "abc"}]}',
      '<auth user="me"><password>abc</password></auth>',
      '<Token type="x">\nabc</Token>',
    ];
    const path = ['properties', 'customWebhook', 'body'];
    const shownBody = (body: string) =>
      valueAt(maskSecrets('notifiers', { properties: { customWebhook: { body } } }), path);
    for (const body of plain) assert.equal(shownBody(body), body);
    for (const body of secret) assert.equal(shownBody(body), MASK, body);
    const started = threadMs();
    for (const unit of [
      'a',
      '{{',
      'hook/',
      '://',
      ' ',
      'a1',
      '"a": ',
      '<a ',
      '<a>',
      '"name": ',
      '\\\\',
      'a:[',
    ])
      shownBody(unit.repeat(200_000));
    assert.ok(threadMs() - started < 2_000, 'It takes more than linear time.');

    // A masked body is kept when other members change, and it can be replaced.
    const service = server.service();
    const custom = { url: at('custom'), body: secret[0] };
    const body = { name: 'hidden', properties: { customWebhook: custom } };
    const made = await createRecord(service, 'notifiers', body);
    assert.ok(made.ok && valueAt(made.value, path) === MASK);
    const id = idOf('notifiers', made.value) as string;
    const document = documentOf('notifiers', made.value);
    const renamed = await updateRecord(service, 'notifiers', id, { ...document, name: 'renamed' });
    assert.ok(renamed.ok, stringifyJson(renamed));
    const whole = await getWhole(service, 'notifiers', id);
    assert.ok(whole.ok);
    assert.deepEqual(whole.value.properties, body.properties);
    const entered = withValueAt(document, path, plain[0]) as Members;
    const replaced = await updateRecord(service, 'notifiers', id, entered);
    assert.ok(replaced.ok && valueAt(replaced.value, path) === plain[0]);
  });

  it('in a list whose items have moved must be entered again and are not taken from other items', async () => {
    const items = [
      { key: `${SECRET}-a`, place: 1 },
      { key: `${SECRET}-b`, place: 2 },
    ];
    const record = { name: 'x', properties: { pigeon: { items, numbers: ['a', 'b'] } } };
    const shown = maskSecrets('notifiers', record);
    const itemsOf = (change: (items: unknown[]) => unknown[]) =>
      withValueAt(
        shown,
        ['properties', 'pigeon', 'items'],
        change(valueAt(shown, ['properties', 'pigeon', 'items']) as unknown[]),
      ) as Members;
    const missingOf = (document: Members) =>
      formatPaths(restoreSecrets('notifiers', document, record).missing);
    const key = (index: number) => `properties.pigeon.items.${index}.key`;
    assert.equal(missingOf(shown), '');
    assert.deepEqual(restoreSecrets('notifiers', shown, record).document, record);
    assert.equal(missingOf(itemsOf((all) => all.toReversed())), `${key(0)}, ${key(1)}`);
    assert.equal(missingOf(itemsOf((all) => all.slice(1))), key(0));
    assert.equal(
      missingOf(itemsOf((all) => [...all, { key: 'new', place: 3 }])),
      `${key(0)}, ${key(1)}`,
    );
    const shorter = withValueAt(shown, ['properties', 'pigeon', 'numbers'], [MASK]) as Members;
    assert.equal(missingOf(shorter), 'properties.pigeon.numbers.0');
    const entered = itemsOf(([first]) => [first, { key: 'new', place: 2 }]);
    assert.equal(missingOf(entered), '');
    assert.deepEqual(
      valueAt(restoreSecrets('notifiers', entered, record).document, [
        'properties',
        'pigeon',
        'items',
      ]),
      [items[0], { key: 'new', place: 2 }],
    );
  });

  it('are not overwritten by text that contains the mask, which is rejected', async () => {
    const service = server.service();
    const { customWebhook } = properties;
    const body = { name: 'dots', properties: { customWebhook } };
    const made = await createRecord(service, 'notifiers', body);
    assert.ok(made.ok, stringifyJson(made));
    const id = idOf('notifiers', made.value) as string;
    const document = documentOf('notifiers', made.value);
    const below = ['properties', 'customWebhook'];
    const typed: readonly (readonly [path: readonly string[], text: string])[] = [
      [[...below, 'headers', 'authorization'], `Bearer ${MASK}`],
      [[...below, 'body'], `{"key": "${MASK}"}`],
      [['name'], MASK],
    ];
    for (const [path, text] of typed) {
      const changed = withValueAt(document, path, text) as Members;
      for (const answer of [
        await updateRecord(service, 'notifiers', id, changed),
        await createRecord(service, 'notifiers', changed),
      ]) {
        assert.ok(!answer.ok, path.join('.'));
        assert.ok(answer.failure.message.includes(path.join('.')), answer.failure.message);
      }
    }
    const whole = await getWhole(service, 'notifiers', id);
    assert.ok(whole.ok);
    assert.deepEqual(whole.value.properties, body.properties);
  });

  it('are masked and restored even if they are numbers', () => {
    const record = {
      properties: { pigeon: { pin: 123_456, telephone: 4_915_112_345_678_901_234n, speed: 3 } },
    };
    const shown = maskSecrets('notifiers', record);
    assert.deepEqual(shown.properties, { pigeon: { pin: MASK, telephone: MASK, speed: 3 } });
    assert.deepEqual(restoreSecrets('notifiers', shown, record), { document: record, missing: [] });
  });

  it('are removed from every part of an error message, whatever their encoding', async () => {
    const url = 'https://hooks.example.com/services/T0PSECRET1/B0SECRET22?key="quoted"';
    const repeated = [
      encodeURIComponent(url),
      JSON.stringify(url),
      new URL(url).pathname,
      new URL(url).href,
      'B0SECRET22',
      // The client truncates a long message within the URL.
      `${'x'.repeat(1_944)} ${url}`,
    ];
    for (const words of repeated) {
      await using echo = await LoopbackServer.start((response) =>
        json(response, 400, {
          reason: words,
          message: `Not valid: ${words}`,
          errors: [{ line: 1, message: words }],
        }),
      );
      const body = { name: 'x', properties: { webhook: { url } } };
      const made = await createRecord(echo.service(), 'notifiers', body);
      assert.ok(!made.ok);
      const shown = stringifyJson(made);
      assert.ok(!shown.includes('SECRET') && !shown.includes('quoted'), shown);
    }
  });

  it('and the access token are removed from messages about an invalid response', async () => {
    const token = 'xaat-T0P-5ECRET-token';
    const answers = [`at ${SECRET}`, { id: '1', name: 'x', properties: SECRET }, { id: [token] }];
    for (const value of answers) {
      await using server = await LoopbackServer.start((response) =>
        json(response, 200, JSON.stringify(value)),
      );
      const service = server.service(token);
      const document = { name: 'x', properties: { slack: { slackUrl: SECRET } } };
      const outcomes = [
        await listRecords(service, 'notifiers'),
        await getRecord(service, 'notifiers', '1'),
        await createRecord(service, 'notifiers', document),
        await updateRecord(service, 'notifiers', '1', document),
      ];
      for (const outcome of outcomes) {
        assert.ok(!stringifyJson(outcome).includes('5ECRET'), stringifyJson(outcome));
      }
    }
  });
});

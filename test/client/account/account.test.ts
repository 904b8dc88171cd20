// Who Am I: the identities of tokens of a real local deployment, and the page in a browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { fetchIdentity, type Identity } from '../../../client/src/account/identity.ts';
import { accountPage } from '../../../client/src/account/page.ts';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import type { HostedProfile } from '../../../client/src/deployments/profiles.ts';
import { Service } from '../../../client/src/service/service.ts';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { Processes, type Running } from '../../local/processes.ts';
import { foreign } from '../foreignText.ts';
import { LoopbackServer } from '../loopback.ts';
import { overflowOf, picture, pictures, violationsOf } from '../pageAudit.ts';
import { type Theme, themes } from '../results/themes.ts';

const dispatcher = directDispatcher();

let browser: Browser;
let processes: Processes;
let running: Running;

before(async () => {
  processes = await Processes.create();
  [browser, running] = await Promise.all([pageBrowser(), processes.start('data')]);
  for (const [name, edgeDeployment] of [
    ['http-logs', 'cloud.us-east-1.aws'],
    ['eu-traces', 'cloud.eu-central-1.aws'],
  ]) {
    await ask('POST', '/v2/datasets', { name, edgeDeployment });
  }
  await ask('POST', '/v2/rbac/roles', {
    name: 'On call <b>',
    description: 'Reads production & answers the pager',
    datasetCapabilities: { 'http-logs': { query: ['read'], ingest: ['create'] } },
    orgCapabilities: { monitors: ['read', 'update'], annotations: ['create'] },
  });
  await ask('POST', '/v2/rbac/groups', { name: 'Platform', description: 'Who keeps it running' });
});
after(async () => {
  await browser?.close();
  await dispatcher.destroy();
  await processes?.dispose();
});

async function ask(method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = {
    authorization: `Bearer ${running.token}`,
    'content-type': 'application/json',
  };
  const answer = await fetch(`${running.url}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return text === '' ? {} : JSON.parse(text);
}

/** Adds the colors of a theme to a page. */
function themed(html: string, theme: Theme): string {
  return html
    .replace('<body>', `<body class="vscode-${theme}">`)
    .replace('<style nonce="bm9uY2U">', `<style nonce="bm9uY2U">:root{${themes[theme]}}`);
}

async function pictureInThemes(name: string, html: string): Promise<void> {
  if (pictures === undefined) return;
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  for (const theme of Object.keys(themes) as Theme[]) {
    await page.setContent(themed(html, theme));
    await picture(page, `${name}-${theme}`);
  }
  await page.close();
}

async function identityOf(token: string, url = running.url): Promise<Identity> {
  const service = new Service({ general: url, edge: url, dispatcher, token: async () => token });
  const signal = new AbortController().signal;
  const identity = await fetchIdentity(service, token, signal);
  assert.ok(identity);
  return identity;
}

function allowed({ access }: Identity): Record<string, string> {
  return Object.fromEntries(access.map(({ what, allowed: can }) => [what, can]));
}

const profile: HostedProfile = {
  kind: 'hosted',
  name: 'Production EU',
  general: 'https://api.example.com',
  edge: 'https://eu.edge.example.com',
  organization: 'local',
  production: true,
  keepResults: false,
  from: 'user',
};

function pageOf(identity: Identity): string {
  return accountPage({ profile, identity, readAt: Date.UTC(2026, 10, 23), nonce: 'bm9uY2U' });
}

describe('the identity of a token', () => {
  it('includes the user, organization, roles, groups and tokens if the token is personal', async () => {
    const identity = await identityOf(running.personalToken);
    assert.ok(identity.user && 'value' in identity.user);
    assert.ok('value' in identity.organizations && 'value' in identity.roles);
    assert.ok('value' in identity.groups && 'value' in identity.tokens);
    assert.ok(identity.roles.value.some(({ name }) => name === 'On call <b>'));
    assert.deepEqual(new Set(Object.values(allowed(identity))), new Set(['yes']));
    assert.deepEqual(identity.regions.map(({ datasets }) => datasets).sort(), [1, 1]);
    const page = pageOf(identity);
    assert.match(page, /On call &#60;b&#62;/);
    assert.match(page, /Datasets in EU Central 1/);
    assert.doesNotMatch(page, /<b>|xa[ap]t-/);
    const renamed = identity.roles.value.map((role) => ({ ...role, name: foreign }));
    const foreignPage = pageOf({ ...identity, roles: { ...identity.roles, value: renamed } });
    assert.ok(foreignPage.includes('a[U+202E]b␇&#60;b&#62;x&#60;/b&#62;'));
    assert.equal(foreignPage.includes('\u202E'), false);
  });

  it('lists the capabilities of an API token, with an unknown expiry if it cannot read tokens', async () => {
    const made = await ask('POST', '/v2/tokens', {
      name: 'reader',
      expiresAt: '2031-02-03T00:00:00Z',
      datasetCapabilities: { 'http-logs': { query: ['read'] } },
      orgCapabilities: { monitors: ['read'] },
    });
    const identity = await identityOf(made.token as string);
    assert.equal(identity.user, undefined);
    const can = allowed(identity);
    assert.equal(can.Query, 'yes');
    assert.equal(can['Send events'], 'no');
    assert.equal(can['Read monitors'], 'yes');
    assert.equal(can['Read users'], 'no');
    assert.equal(can['Read roles and groups'], 'no');
    assert.match(pageOf(identity), /expiry of the token is unknown/);
    // A token that can read tokens sees their expiry.
    assert.match(pageOf(await identityOf(running.token)), /reader<\/dt><dd>Expires 2031-02-03/);
  });

  it('includes the expiry of an API token that can read tokens, and warns if it is near', async () => {
    const day = 86_400_000;
    const made = async (name: string, inDays: number, capabilities: object) => {
      const expiresAt = new Date(Date.now() + inDays * day + 60_000).toISOString();
      const orgCapabilities = { apiTokens: ['read'], ...capabilities };
      return ask('POST', '/v2/tokens', { name, expiresAt, orgCapabilities });
    };
    const far = await made('far', 90, { users: ['read'] });
    await made('blind', 2, { apiTokens: ['create'] });
    const farIdentity = await identityOf(far.token as string);
    assert.equal(farIdentity.ownRecord?.name, 'far');
    const page = (identity: Identity) =>
      accountPage({ profile, identity, readAt: Date.now(), nonce: 'bm9uY2U' });
    assert.match(page(farIdentity), /API token &#39;far&#39;/);
    assert.match(page(farIdentity), /<dt>Expires<\/dt><dd>\d{4}-\d\d-\d\d, in 90 days<\/dd>/);
    assert.doesNotMatch(page(farIdentity), /role="alert"/);
    await ask('DELETE', `/v2/tokens/${far.id}`, undefined);
    const near = await made('near', 3, {});
    const identity = await identityOf(near.token as string);
    assert.equal(identity.ownRecord?.name, 'near');
    assert.match(page(identity), /The token expires in 3 days, at .*change the token/);
    await pictureInThemes('account-expiry', page(identity));
    // Two tokens with the same capabilities cannot be told apart, so the record in use is unknown.
    const other = await made('other', 3, {});
    assert.equal((await identityOf(near.token as string)).ownRecord, undefined);
    for (const { id } of [near, other]) await ask('DELETE', `/v2/tokens/${id}`, undefined);
  });

  it('includes the failure and denies query access if the token is rejected', async () => {
    const identity = await identityOf('xaat-00000000-0000-0000-0000-000000000000');
    assert.ok(identity.failure);
    assert.equal(allowed(identity).Query, 'no');
    assert.match(pageOf(identity), /role="alert"/);
  });

  /** Returns the sentences of a page that report unavailable parts. */
  const said = (page: string) =>
    [...page.matchAll(/(?:<p class="(?:problem|dim)"[^>]*>|<dd>)([^<]*)</g)]
      .map(([, sentence = '']) => sentence)
      .filter((sentence) => / /.test(sentence));

  it('reports an unreachable deployment only once on the page', async () => {
    const closed = await LoopbackServer.start(() => undefined);
    const { url } = closed;
    await closed[Symbol.asyncDispose]();
    for (const token of ['xaat-1', 'xapt-1']) {
      const identity = await identityOf(token, url);
      const page = pageOf(identity);
      assert.equal(page.match(/Cannot reach/g)?.length, 1);
      const sentences = said(page);
      assert.equal(new Set(sentences).size, sentences.length, sentences.join('\n'));
      assert.equal(page.match(/<section>/g)?.length, 1, 'what is known of the token alone');
      await pictureInThemes(`account-unreachable-${token.slice(0, 4)}`, page);
    }
  });

  it('names the parts that a lost connection left unavailable, in one message', async () => {
    await using server = await LoopbackServer.start(
      async (response, { method, url, headers, body }) => {
        if (/rbac/.test(url)) return void response.socket?.resetAndDestroy();
        const answer = await fetch(`${running.url}${url}`, {
          method,
          headers: { authorization: headers.authorization ?? '' },
          ...(method !== 'GET' && { body: new Uint8Array(body) }),
        });
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(await answer.text());
      },
    );
    const page = pageOf(await identityOf(running.personalToken, server.url));
    assert.equal(page.match(/Cannot reach/g)?.length, 1);
    assert.match(page, /role="alert">Cannot reach .* Not available: roles, groups\.</);
    assert.match(page, /<h2>Organization/);
    assert.doesNotMatch(page, /<h2>Roles/);
  });

  it('includes the limits and remaining amounts from the response headers', async () => {
    await using server = await LoopbackServer.start((response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-ratelimit-limit': '1000',
        'x-ratelimit-remaining': '250',
        'x-ratelimit-reset': '1790000000',
        'x-ingestlimit-limit': '500000000000',
        'x-ingestlimit-remaining': '499000000000',
      });
      response.end('[]');
    });
    const identity = await identityOf('xaat-1', server.url);
    assert.deepEqual(
      identity.use.map(({ what, limit, remaining }) => [what, limit, remaining]),
      [
        ['Requests per minute', 1_000, 250],
        ['Ingest per month', 500_000_000_000, 499_000_000_000],
      ],
    );
    const page = pageOf(identity);
    assert.match(page, /750 of 1,000 requests/);
    assert.match(page, /1 of 500 GB/);
  });
});

describe('the Who Am I page', () => {
  for (const theme of Object.keys(themes) as Theme[]) {
    for (const width of [1200, 340]) {
      it(`has no axe violations in the ${theme} theme at ${width} pixels`, async () => {
        const identity = await identityOf(running.personalToken);
        const use: Identity['use'] = [
          { what: 'Requests per minute', unit: 'requests', limit: 1_000, remaining: 250 },
          {
            what: 'Ingest per month',
            unit: 'bytes',
            limit: 5e11,
            remaining: 2e10,
            resetsAt: 1.79e12,
          },
        ];
        const html = themed(pageOf({ ...identity, use }), theme);
        const page = await browser.newPage({ viewport: { width, height: 900 } });
        const complaints: string[] = [];
        page.on('console', (message) => complaints.push(message.text()));
        await page.setContent(html);
        await picture(page, `account-${theme}-${width}`, { fullPage: true });
        assert.equal(await page.locator('section').count(), 8);
        await page.locator('summary').first().click();
        assert.deepEqual(await violationsOf(page), []);
        assert.equal(await overflowOf(page), 0, 'nothing is wider than the page');
        assert.deepEqual(complaints, []);
        await page.close();
      });
    }
  }
});

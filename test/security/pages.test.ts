// The policies of pages in VS Code: markup that a deployment got into one could run no script, change no base address
// and send no form. test/local/landing.test.ts has the landing page.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fetchIdentity } from '../../client/src/account/identity.ts';
import { accountPage } from '../../client/src/account/page.ts';
import { localProfile } from '../../client/src/deployments/profiles.ts';
import { pageHtml } from '../../client/src/webview/html.ts';
import { json, LoopbackServer } from '../client/loopback.ts';

async function account(): Promise<string> {
  await using server = await LoopbackServer.start((response) => json(response, 200, []));
  const { signal } = new AbortController();
  const identity = await fetchIdentity(server.service(), 'xaat-secret', signal);
  assert.ok(identity);
  return accountPage({ profile: localProfile, identity, readAt: 0, nonce: 'n' });
}

const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  webview: () =>
    pageHtml({ title: 't', scriptUri: 's', styleUri: 'c', cspSource: 'o', nonce: 'n' }),
  account,
};

for (const [name, htmlOf] of Object.entries(pages)) {
  it(`a page runs no foreign script, keeps its base address and sends no form: ${name}`, async () => {
    const html = await htmlOf();
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
    const directives = policy.split('; ');
    for (const directive of ['default-src', 'base-uri', 'form-action'])
      assert.ok(directives.includes(`${directive} 'none'`), policy);
    assert.doesNotMatch(policy, /unsafe|\*/);
  });
}

// Requests to hosted deployments use the proxy from the settings of VS Code. Requests to this machine never do.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  directDispatcher,
  type NetworkSettings,
  networkDispatcher,
} from '../../../client/src/deployments/network.ts';
import { send } from '../../../client/src/service/http.ts';
import { LoopbackServer } from '../loopback.ts';

const settings: NetworkSettings = {
  proxy: '',
  support: 'override',
  noProxy: [],
  strict: true,
  systemCertificates: false,
};

async function ask(url: string, dispatcher = directDispatcher()): Promise<string> {
  const call = { method: 'GET', headers: {}, timeoutMs: 5_000, repeatable: false } as const;
  const outcome = await send({ ...call, url: new URL(url), dispatcher });
  await dispatcher.destroy();
  return outcome.ok ? outcome.text : outcome.failure.message;
}

describe('the proxy', () => {
  it('receives requests for other hosts, with the full URL', async () => {
    await using proxy = await LoopbackServer.start((response) => response.end('by proxy'));
    const dispatcher = networkDispatcher({ ...settings, proxy: proxy.url });
    assert.equal(await ask('http://service.invalid/path', dispatcher), 'by proxy');
    assert.equal(proxy.received[0]?.url, 'http://service.invalid/path');
  });

  it('is bypassed for this machine, for hosts in noProxy, and if proxy support is off', async () => {
    await using proxy = await LoopbackServer.start((response) => response.end('by proxy'));
    await using server = await LoopbackServer.start((response) => response.end('direct'));
    const through = { ...settings, proxy: proxy.url };
    assert.equal(await ask(server.url, networkDispatcher(through)), 'direct');
    const excepted = networkDispatcher({ ...through, noProxy: ['service.invalid'] });
    assert.match(
      await ask('http://service.invalid/', excepted),
      /host name (?:does not exist|cannot be)/,
    );
    const off = networkDispatcher({ ...through, support: 'off' });
    assert.match(
      await ask('http://service.invalid/', off),
      /host name (?:does not exist|cannot be)/,
    );
    assert.equal(proxy.received.length, 0);
  });

  it('makes the request fail with a message if it is unreachable', async () => {
    const dispatcher = networkDispatcher({ ...settings, proxy: 'http://127.0.0.1:1' });
    assert.match(await ask('http://service.invalid/', dispatcher), /Cannot reach service\.invalid/);
  });
});

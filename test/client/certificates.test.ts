// Invalid certificates of real HTTPS servers: the connection test and a query report them, and no token is sent.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import * as tls from 'node:tls';
import { networkDispatcher } from '../../client/src/deployments/network.ts';
import { askForValue } from '../../client/src/service/ask.ts';
import { type Remedy, testConnection } from '../../client/src/service/connectionTest.ts';
import { networkFailure } from '../../client/src/service/failure.ts';
import { Service } from '../../client/src/service/service.ts';
import { type CertificateName, startHttps } from './certificates/server.ts';

const folder = join(import.meta.dirname, 'certificates');
const token = 'xaat-for-an-honest-server';

interface Row {
  readonly name: CertificateName;
  readonly says: RegExp;
  readonly remedy: Remedy;
}

const rows: readonly Row[] = [
  {
    name: 'self-signed',
    says: /is self-signed, and this machine does not trust it \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. If you trust the host, add the certificate to those of the system\./,
    remedy: 'again',
  },
  {
    name: 'expired',
    says: /has expired \(CERT_HAS_EXPIRED\)\. Have it renewed, or set the clock/,
    remedy: 'again',
  },
  {
    name: 'early',
    says: /is not valid yet \(CERT_NOT_YET_VALID\)\. Check the clock/,
    remedy: 'again',
  },
  {
    name: 'wrong-name',
    says: /is for another host name \(ERR_TLS_CERT_ALTNAME_INVALID\)\. Check the address\./,
    remedy: 'address',
  },
];

describe('a certificate', () => {
  // Trusts the test authority, as NODE_EXTRA_CA_CERTS and the system's certificates would.
  before(() => {
    const authority = readFileSync(join(folder, 'authority.pem'), 'utf8');
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority]);
  });

  async function asked(name: CertificateName) {
    await using server = await startHttps(name, folder);
    const dispatcher = networkDispatcher({
      proxy: '',
      support: 'override',
      noProxy: [],
      strict: true,
      systemCertificates: true,
    });
    const { url } = server;
    const service = new Service({ general: url, edge: url, dispatcher, token: async () => token });
    const report = await testConnection(service, token, new AbortController().signal);
    const query = await askForValue(
      { apl: "['a'] | take 1", startTime: 'now-1h', endTime: 'now' },
      { service, datasets: ['a'], timeoutMs: 3_000 },
    );
    await dispatcher.destroy();
    assert.ok(report);
    return { host: new URL(url).host, report, query, tokens: server.tokens };
  }

  it('is accepted if a trusted authority signed it', async () => {
    const { report, tokens } = await asked('valid');
    assert.deepEqual(report.problems, []);
    assert.ok(tokens.length > 0);
  });

  for (const { name, says, remedy } of rows) {
    it(`is rejected with advice, before a token is sent: ${name}`, async () => {
      const { host, report, query, tokens } = await asked(name);
      const [problem] = report.problems;
      assert.match(`${problem?.message} ${problem?.advice}`, says);
      assert.ok(problem?.message.startsWith(`The certificate of ${host} `));
      assert.equal(problem?.remedy, remedy);
      assert.ok(!query.ok);
      assert.equal(query.failure.kind, 'certificate');
      assert.match(query.failure.message, says);
      assert.deepEqual(tokens, [], 'A token was sent.');
    });
  }

  it('of an unknown authority is reported, with advice to add the authority of the host or proxy', () => {
    for (const code of ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SELF_SIGNED_CERT_IN_CHAIN']) {
      const failure = networkFailure(Object.assign(new Error('no'), { code }), 'a.example');
      assert.match(
        failure.message,
        /^The certificate of a\.example is not trusted by this machine/,
      );
      assert.match(failure.message, /Add its certificate authority, or that of your network proxy/);
    }
  });
});

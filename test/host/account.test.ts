// Deployments: the guided form, routing, the comment in a file, production and Who Am I, in a real VS Code.
import { join } from 'node:path';
import { it } from 'node:test';
import { repository } from '../../scripts/host/paths.ts';
import { runSuites, suitesTimeout } from './inVscode.ts';

// As on a machine whose certificates have another authority added.
const NODE_EXTRA_CA_CERTS = join(repository, 'test/client/certificates/authority.pem');

it('the suites of deployments pass in a real VS Code', { timeout: suitesTimeout }, (context) =>
  runSuites('account', context, { prepare: async () => ({ NODE_EXTRA_CA_CERTS }) }),
);

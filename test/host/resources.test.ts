// Resources, dashboards and monitors, and deployments, in a real VS Code.
import { join } from 'node:path';
import { repository } from '../../scripts/host/paths.ts';
import { testSuites } from './inVscode.ts';

// As on a machine whose certificates have another authority added.
const NODE_EXTRA_CA_CERTS = join(repository, 'test/client/certificates/authority.pem');

testSuites(
  { resources: 'resources', boards: 'dashboards and monitors', account: 'deployments' },
  { prepare: async () => ({ NODE_EXTRA_CA_CERTS }) },
);

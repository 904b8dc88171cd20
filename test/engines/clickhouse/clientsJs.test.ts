/** The JavaScript clients from the npm registry against a deployment on ClickHouse. */
import { onClickHouse } from './suites.ts';

await onClickHouse(() => import('../../local/clients/js.test.ts'));

/** Loggers from the npm registry that write to a deployment on ClickHouse. */
import { onClickHouse } from './suites.ts';

await onClickHouse(() => import('../../local/clients/loggers.test.ts'));

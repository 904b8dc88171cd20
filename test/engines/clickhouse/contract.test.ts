/** The contract suite against a deployment on ClickHouse. */
import { onClickHouse } from './suites.ts';

await onClickHouse(() => import('../../contract/contract.test.ts'));

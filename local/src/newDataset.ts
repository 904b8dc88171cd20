/** Creates the settings of new datasets. */
import type { Dataset, NewDataset } from '../../api/src/index.ts';
import { LOCAL_USER_ID } from './access/directory.ts';
import { edgeNamed } from './edges.ts';
import { formatTime } from './time.ts';

export function newDocument({ source, ...body }: NewDataset): Dataset {
  const created = formatTime(Date.now());
  return {
    ...body,
    id: body.name,
    description: body.description ?? '',
    kind: body.kind ?? 'axiom:events:v1',
    created,
    updatedAt: created,
    who: LOCAL_USER_ID,
    canWrite: source === undefined,
    mapFields: [],
    edgeDeployment: edgeNamed(body.edgeDeployment).id,
    ...(source && { source }),
  };
}

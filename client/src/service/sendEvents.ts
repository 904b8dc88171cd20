// Sends events to the edge deployment that stores a dataset, or through the general address.
import type { Outcome } from './failure.ts';
import type { RouteNotice } from './routing.ts';
import type { CallArguments, Reply, Routed, Service } from './service.ts';

interface SentEvents extends Reply<'ingest'> {
  readonly routeNotices: readonly RouteNotice[];
}

type EventsCall = Omit<CallArguments<'ingest'>, 'params' | 'edge'> & Pick<Routed, 'ask'>;

/** Sends events. Never throws. */
export async function sendEvents(
  service: Service,
  dataset: string,
  { ask, ...call }: EventsCall,
): Promise<Outcome<SentEvents>> {
  const route = await service.route('ingest', { datasets: [dataset], ask });
  if (!route.ok) return route;
  const params = { dataset_name: dataset };
  const answer =
    route.value.kind === 'general'
      ? await service.call('ingestV1', { ...call, params })
      : await service.call('ingest', { ...call, params, edge: route.value.address });
  const routeNotices = route.value.kind === 'general' ? route.value.notices : [];
  return answer.ok ? { ...answer, value: { ...answer.value, routeNotices } } : answer;
}

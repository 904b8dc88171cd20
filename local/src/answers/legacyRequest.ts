/** Generates the member `request` of a legacy answer, which describes the query as a structured query if possible. */
import type { LegacyRequest } from '../../../api/src/index.ts';
import type { Plan } from '../planner/plan.ts';
import { formatNanos } from '../time.ts';

export type EchoedMembers = Pick<LegacyRequest, 'cursor' | 'includeCursor'>;

export function legacyRequest(plan: Plan, echoed: EchoedMembers): LegacyRequest {
  const { main, range, defaultLimit } = plan;
  const limit = main.cut?.limit ?? defaultLimit ?? limitOf(main.maxRows);
  return {
    startTime: formatNanos(range.start),
    endTime: formatNanos(range.end),
    resolution: resolutionOf(main.buckets?.size),
    aggregations: main.columns.flatMap(({ name: alias, agg }) => {
      if (agg === undefined) return [];
      const argument = agg.args?.[0];
      const field = agg.fields?.[0] ?? '*';
      return [{ op: agg.name, field, ...(argument === undefined ? {} : { argument }), alias }];
    }),
    groupBy: [...main.groups],
    order: [...main.order],
    ...(limit === undefined ? {} : { limit }),
    ...echoed,
  };
}

function limitOf(maxRows: bigint | undefined): number | undefined {
  return maxRows === undefined || maxRows > Number.MAX_SAFE_INTEGER ? undefined : Number(maxRows);
}

/** Formats the size of the time bins. The API writes `auto` for a result without bins. */
function resolutionOf(nanos: bigint | undefined): string {
  if (nanos === undefined) return 'auto';
  const seconds = nanos / 1_000_000_000n;
  return nanos % 1_000_000_000n === 0n ? `${seconds}s` : `${nanos}ns`;
}

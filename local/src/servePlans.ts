/** Runs in the planning thread: handles one task at a time, and replies to each. */
import { parentPort } from 'node:worker_threads';
import { loadPlanner } from './engines/plan.ts';
import type { Plan, PlannedTable } from './planner/plan.ts';
import type { Task, TaskResult } from './planThread.ts';
import { readQuery } from './queryReading.ts';
import { type PlanReply, planRequest } from './routes/planRequest.ts';
import { makeSources } from './sources.ts';

export function servePlans(): void {
  parentPort?.on('message', async (task: Task) => {
    parentPort?.postMessage(await answer(task));
  });
}

async function answer(task: Task): Promise<TaskResult> {
  try {
    if (task.kind === 'plan') await loadPlanner(task.request.engine ?? 'DuckDB');
    const sources = makeSources(task.data);
    return task.kind === 'plan'
      ? { reply: withoutRelations(planRequest(task.request, sources)) }
      : { reply: task.queries.map((text) => readQuery(text, sources.schema)) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Removes the relations from a reply. Only explanations need them, and copying them takes longer than planning. */
function withoutRelations(reply: PlanReply): PlanReply {
  if (reply.kind !== 'plan') return reply;
  const { main, totals } = reply.plan;
  const plan: Plan = {
    ...reply.plan,
    shared: [],
    main: withoutRelation(main),
    ...(totals && { totals: withoutRelation(totals) }),
  };
  return { ...reply, plan };
}

function withoutRelation(table: PlannedTable): PlannedTable {
  return { ...table, relation: { kind: 'values', ids: [], rows: [] } };
}

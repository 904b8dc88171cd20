// The tools, and how a call is answered: the input is checked, the answer is within its budget, and an unexpected error
// becomes a failed answer.
import { checkStrict } from '../../api/src/validate.ts';
import { failedAnswer, finished, type ToolAnswer } from './answer.ts';
import type { AgentContext } from './context.ts';
import { TOOLS_MAX } from './limits.ts';
import type { AgentSession } from './session.ts';
import type { Tool } from './tool.ts';
import { checkQuery } from './tools/checkQuery.ts';
import { explain } from './tools/explain.ts';
import { getFields } from './tools/getFields.ts';
import { getResource } from './tools/getResource.ts';
import { ingestEvents } from './tools/ingestEvents.ts';
import { listDatasets } from './tools/listDatasets.ts';
import { planChange } from './tools/planChange.ts';
import { runQuery } from './tools/runQuery.ts';
import { runTests } from './tools/runTests.ts';
import { runToStage } from './tools/runToStage.ts';
import { searchQueries } from './tools/searchQueries.ts';

/** All tools, in the order in which an agent needs them. */
export const tools: readonly Tool[] = [
  listDatasets,
  getFields,
  checkQuery,
  runQuery,
  runToStage,
  explain,
  searchQueries,
  getResource,
  planChange,
  ingestEvents,
  runTests,
];

/** Returns the offered tools: at most ten, because every definition costs tokens in each conversation. */
export function offeredTools(context: AgentContext): readonly Tool[] {
  return tools.filter((one) => one.isOffered(context)).slice(0, TOOLS_MAX);
}

/** Answers a call. Rejects only if the signal aborts. */
export async function callTool(
  session: AgentSession,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { context } = session;
  const offered = offeredTools(context);
  const called = offered.find((one) => one.name === name);
  const redact: AgentContext['redact'] = (text, isError) => context.redact(text, isError);
  if (called === undefined) {
    const names = offered.map((one) => one.name).join(', ');
    return failedAnswer(`There is no such tool. The tools are ${names}.`);
  }
  const problems = checkStrict(called.input, input ?? {}, 'the input');
  if (problems.length > 0) {
    const messages = problems.slice(0, 5).map(({ message }) => `- ${message}`);
    return finished(failedAnswer(`Invalid input:\n${messages.join('\n')}`), redact);
  }
  try {
    const answer = await called.run(session, input ?? {}, signal);
    signal.throwIfAborted();
    return finished(answer, redact);
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    return finished(failedAnswer(`The call failed: ${message}`), redact);
  }
}

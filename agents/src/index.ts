/**
 * Tools for agents that write APL. `callTool` answers calls of the tools in `tools.ts` with what a context provides.
 */
export { fenced, openFence, type ToolAnswer } from './answer.ts';
export { checkText } from './checkText.ts';
export type * from './context.ts';
export { fileQueries } from './fileQueries.ts';
export { guide } from './guide.ts';
export { DEFINITION_TOKENS_MAX, TOOLS_MAX } from './limits.ts';
export { rangeOf } from './range.ts';
export { AgentSession } from './session.ts';
export { estimateTokens } from './tokens.ts';
export type { Tool } from './tool.ts';
export { callTool, offeredTools, tools } from './tools.ts';

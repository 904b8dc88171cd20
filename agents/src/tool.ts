// A tool as one row: what clients show and send, and the function that answers.
import type { Static, TObject, TProperties } from '../../api/src/schema.ts';
import type { ToolAnswer } from './answer.ts';
import type { AgentContext } from './context.ts';
import type { AgentSession } from './session.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The schema of the input, which is also JSON Schema. */
  readonly input: TObject;
  /** Whether the tool stores something. All others only read. */
  readonly writes: boolean;
  /** Whether the tool is offered. */
  isOffered(context: AgentContext): boolean;
  /** Answers a call whose input has been checked. May reject. */
  run(session: AgentSession, input: unknown, signal: AbortSignal): Promise<ToolAnswer>;
}

interface ToolRow<P extends TProperties> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TObject<P>;
  readonly writes?: true;
  isOffered?(context: AgentContext): boolean;
  run(session: AgentSession, input: Static<TObject<P>>, signal: AbortSignal): Promise<ToolAnswer>;
}

/** Declares a tool. The input of `run` has the type of the schema. */
export function tool<P extends TProperties>(row: ToolRow<P>): Tool {
  return {
    ...row,
    input: row.input as unknown as TObject,
    writes: row.writes === true,
    isOffered: (context) => row.isOffered?.(context) ?? true,
    run: (session, input, signal) => row.run(session, input as Static<TObject<P>>, signal),
  };
}

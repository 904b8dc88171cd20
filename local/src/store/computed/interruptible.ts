/** Lets computed functions end a statement that is to stop: DuckDB itself looks only after a chunk, which may hold many calls. */
import type { DuckDBScalarBindFunction, DuckDBScalarMainFunction } from '@duckdb/node-api';

/** Reports whether a connection's statement is to stop. */
export type Interrupted = (connectionId: number) => boolean;

/** Returns the two functions of a computed function, of which each call throws once its statement is to stop. */
export function interruptible(
  mainFunction: DuckDBScalarMainFunction,
  interrupted: Interrupted,
): {
  readonly bindFunction: DuckDBScalarBindFunction;
  readonly mainFunction: DuckDBScalarMainFunction;
} {
  return {
    bindFunction: (bind) => {
      bind.setBindData({ connectionId: bind.clientContext.connectionId });
    },
    mainFunction: (info, input, output) => {
      const bound = info.bindData as { connectionId: number } | undefined;
      if (bound !== undefined && interrupted(bound.connectionId)) {
        throw new Error('The statement was interrupted.');
      }
      mainFunction(info, input, output);
    },
  };
}

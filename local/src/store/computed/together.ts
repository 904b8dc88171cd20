/**
 * A limit on what the rows of one chunk take together, up to 2,048 of them: a million items for one row are fine,
 * and for each of two thousand they are more than there is memory. Statements call it as
 * `apl_together(count, most, message)`, which is true; `{count}` and `{rows}` in the message are filled in. It also
 * ends a statement that is to stop.
 */
import {
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBScalarFunction,
  VARCHAR,
} from '@duckdb/node-api';
import { type Interrupted, interruptible } from './interruptible.ts';

export const togetherName = 'apl_together';

export function registerTogether(connection: DuckDBConnection, interrupted: Interrupted): void {
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: togetherName,
      parameterTypes: [DOUBLE, DOUBLE, VARCHAR],
      returnType: BOOLEAN,
      ...interruptible((_info, input, output) => {
        const counts = input.getColumnVector(0);
        let total = 0;
        for (let i = 0; i < input.rowCount; i++) {
          const count = counts.getItem(i) as number | null;
          if (count !== null && count > 0) total += count;
          output.setItem(i, true);
        }
        output.flush();
        const most = input.getColumnVector(1).getItem(0) as number;
        if (total <= most) return;
        const values: Readonly<Record<string, number>> = {
          count: total,
          rows: input.rowCount,
          most,
        };
        const message = input.getColumnVector(2).getItem(0) as string;
        throw new Error(
          message.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!.toLocaleString('en-US')),
        );
      }, interrupted),
    }),
  );
}

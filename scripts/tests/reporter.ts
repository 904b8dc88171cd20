// A reporter of Node's test runner: sends each case and failure to the process that started this one.
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { type Counts, endOfFile, noCounts, type WorkerMessage } from './messages.ts';

interface TestError extends Error {
  readonly failureType?: string;
}

const send = (message: WorkerMessage) => process.send?.(message);

// biome-ignore lint/correctness/useYield: nothing is printed.
export default async function* reporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let counts: Counts = { ...noCounts };
  const path: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      path.length = data.nesting;
      path.push(data.name);
    } else if (type === 'test:pass' || type === 'test:fail') {
      const name = [...path.slice(0, data.nesting), data.name].join(' > ');
      const error: TestError | undefined = type === 'test:fail' ? data.details.error : undefined;
      const isEnd = name === endOfFile;
      if (data.details.type === 'suite') counts.suites += 1;
      else if (!isEnd || error !== undefined) {
        counts.tests += 1;
        counts[outcome(data, error)] += 1;
        send({ type: 'case', name });
      }
      // A suite that fails because of its cases adds nothing to what they say.
      if (error !== undefined && data.todo === undefined && error.failureType !== 'subtestsFailed')
        send({ type: 'failure', failure: { name, error: inspect(error.cause ?? error) } });
      if (isEnd) {
        send({ type: 'done', counts });
        counts = { ...noCounts };
      }
    } else if (type === 'test:diagnostic') {
      send({ type: 'diagnostic', message: data.message });
    } else if (type === 'test:summary') {
      send({ type: 'done', counts });
    }
  }
}

function outcome(
  { skip, todo }: { readonly skip?: string | boolean; readonly todo?: string | boolean },
  error: TestError | undefined,
): keyof Counts {
  if (todo !== undefined) return 'todo';
  if (skip !== undefined) return 'skipped';
  if (error === undefined) return 'pass';
  return error.failureType === 'cancelledByParent' ? 'cancelled' : 'fail';
}

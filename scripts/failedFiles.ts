// A reporter of Node's test runner: the files with a test that failed, one per line.
import type { TestEvent } from 'node:test/reporters';

export default async function* failedFiles(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const named = new Set<string>();
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.file === undefined || named.has(data.file)) continue;
    named.add(data.file);
    yield `${data.file}\n`;
  }
}

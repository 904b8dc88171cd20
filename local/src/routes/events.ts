/**
 * Sends the answers of a batch as server-sent events, each when it is ready. The service's event names are not public,
 * so an event's name is its query's kind. The event's data has the query's ID, and the result or the error.
 */
import type { BatchItem } from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';
import { Semaphore } from '../store/locks.ts';

type Answer = (item: BatchItem) => Promise<Uint8Array | ReadableStream<Uint8Array>>;

/** Runs at most `concurrency` queries at a time. The stream ends after the last answer. */
export function eventStream(
  items: readonly BatchItem[],
  concurrency: number,
  answer: Answer,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const running = new Semaphore(concurrency);
  // Write one event at a time, because a long result is written in several chunks.
  const writing = new Semaphore(1);
  const work = items.map((item) =>
    running.run(async () => {
      let result: Uint8Array | ReadableStream<Uint8Array>;
      let member = 'result';
      try {
        result = await answer(item);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        member = 'error';
        result = Buffer.from(JSON.stringify(error));
      }
      await writing.run(() => writeEvent(writer, item, member, result));
    }),
  );
  Promise.all(work)
    .then(() => writer.close())
    .catch((error: unknown) => writer.abort(error).catch(() => undefined));
  return readable;
}

async function writeEvent(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  item: BatchItem,
  member: string,
  result: Uint8Array | ReadableStream<Uint8Array>,
): Promise<void> {
  const kind = item.aplRequest === undefined ? 'mpl' : 'apl';
  const head = `{"queryId":${JSON.stringify(item.queryId)},"kind":"${kind}","${member}":`;
  await writer.write(Buffer.from(`event: ${kind}\ndata: ${head}`));
  // The engine's JSON has no line breaks, which would end the event's data.
  if (result instanceof Uint8Array) await writer.write(result);
  else for await (const chunk of result) await writer.write(chunk);
  await writer.write(Buffer.from('}\n\n'));
}

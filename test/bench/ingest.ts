/**
 * Uploads of files into a sink on loopback that forgets them, against curl with the same file and sink in the same
 * round; memory and preview of a large file against a small one; and the longest time that the extension host's
 * thread is blocked.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { root } from '../house/sources.ts';
import type { Upload } from './ingest/upload.ts';
import { writeEvents } from './local/events.ts';
import { type Bench, type Measure, measure, middle, timed } from './measure.ts';

const ROUNDS = 3;
const EVENT_BYTES = 440;
const BLOCK_MS_MAX = 50;

const run = promisify(execFile);

export const ingest: Bench = {
  name: 'ingest',
  summary: 'uploads of files of up to 2 GB, against curl and against small files',
  async run(progress) {
    await ensureBuilt();
    const folder = join(root, '.bench');
    mkdirSync(folder, { recursive: true });
    const fileOf = async (name: string, bytes: number) => {
      progress(`writing ${name}`);
      const path = join(folder, `ingest-${name}.ndjson`);
      await writeEvents(path, Math.ceil(bytes / EVENT_BYTES));
      return path;
    };
    const tiny = await fileOf('2MB', 2e6);
    const small = await fileOf('20MB', 20e6);
    const middling = await fileOf('1GB', 1e9);
    const large = await fileOf('2GB', 2e9);
    const { sink, url } = await startSink();
    const upload = async (path: string, encoding: string) => {
      const script = join(import.meta.dirname, 'ingest', 'upload.ts');
      const journals = join(folder, 'ingest-runs');
      const { stdout } = await run(process.execPath, [script, path, url, encoding, journals]);
      const uploaded = JSON.parse(stdout) as Upload;
      if (uploaded.outcome !== 'complete') throw new Error(`The upload ended: ${stdout}`);
      return uploaded;
    };
    try {
      const found: Measure[] = [];
      const uploads: Upload[] = [];
      for (const { name, encoding, command, bar } of peers) {
        const rounds: Measure[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          progress(`${name}, round ${round + 1} of ${ROUNDS}`);
          const uploaded = await upload(middling, encoding);
          const theirs = await timed(() => run('sh', ['-c', command, 'sh', middling, url]));
          uploads.push(uploaded);
          rounds.push(measure('ingest', name, 'ms', uploaded.ms, theirs, bar));
        }
        found.push(middle(rounds));
      }
      progress('memory');
      const [most, least] = [await upload(large, 'identity'), await upload(small, 'identity')];
      uploads.push(most, least);
      const memory = 'peak memory, 2 GB against 20 MB';
      found.push(measure('ingest', memory, 'MB', most.peakBytes / 1e6, least.peakBytes / 1e6, 1.3));
      progress('preview');
      const script = join(import.meta.dirname, 'ingest', 'preview.ts');
      const { stdout } = await run(process.execPath, [script, large, tiny]);
      const [ours = Number.NaN, theirs = Number.NaN] = JSON.parse(stdout) as number[];
      found.push(measure('ingest', 'preview, 2 GB against 2 MB', 'ms', ours, theirs, 2));
      const longest = Math.max(...uploads.map(({ longestBlockMs }) => longestBlockMs));
      found.push(measure('ingest', 'longest block, against 50 ms', 'ms', longest, BLOCK_MS_MAX, 1));
      const work = Math.max(...uploads.map(({ longestWorkMs }) => longestWorkMs));
      const own = 'the same without the time of other threads';
      found.push(measure('ingest', own, 'ms', work, BLOCK_MS_MAX, 1));
      return found;
    } finally {
      sink.stdin?.end();
      rmSync(join(folder, 'ingest-runs'), { recursive: true, force: true });
    }
  },
};

const peers = [
  {
    name: '1 GB, against curl',
    encoding: 'identity',
    command:
      'curl -sS -o /dev/null -H "content-type: application/x-ndjson" --data-binary @"$1" "$2/v1/ingest/bench"',
    bar: 1.5,
  },
  {
    name: '1 GB with gzip, against gzip -1 and curl',
    encoding: 'gzip',
    command:
      'gzip -1 -c "$1" | curl -sS -o /dev/null -H "content-type: application/x-ndjson" -H "content-encoding: gzip" --data-binary @- "$2/v1/ingest/bench"',
    bar: 1.2,
  },
  {
    name: '1 GB with zstd, against gzip -1 and curl',
    encoding: 'zstd',
    command:
      'gzip -1 -c "$1" | curl -sS -o /dev/null -H "content-type: application/x-ndjson" -H "content-encoding: gzip" --data-binary @- "$2/v1/ingest/bench"',
    bar: undefined,
  },
] as const;

async function startSink(): Promise<{ readonly sink: ChildProcess; readonly url: string }> {
  const script = join(import.meta.dirname, 'ingest', 'sink.ts');
  const sink = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (!sink.stdout) throw new Error('The sink has no output.');
  const [port] = await once(sink.stdout, 'data');
  return { sink, url: `http://127.0.0.1:${String(port).trim()}` };
}

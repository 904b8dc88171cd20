// Checks an entire file without sending it: parses every event and counts what would be stored.
import {
  INGEST_NESTING_MAX,
  RESERVED_FIELD_PREFIX,
  RESERVED_FIELDS,
} from '../../../api/src/plain.ts';
import type { Instant } from '../../../formats/src/rfc3339.ts';
import type {
  BrokenEvent,
  CheckProgress,
  FileCheck,
  FileSource,
  UnreadTimes,
} from '../contract.ts';
import { FileProblem } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import { CsvConverter } from './convert/csvRow.ts';
import { converterOf, headerOf } from './converters.ts';
import { EventSink } from './eventSink.ts';
import { NumberText, typeOf } from './exactJson.ts';
import { BROKEN_MAX, batchLimits } from './limits.ts';
import { noEvents } from './problems.ts';
import { scan } from './scan.ts';
import { appendedBytes } from './sources.ts';
import { compareInstants, formatInstant } from './times/instant.ts';

const FIELDS_MAX = 10_000;

/**
 * Checks a file to its end, or to the first broken event if the settings say so. Rejects with a FileProblem if it can't
 * be read or has no events, or with the signal's reason.
 */
export async function checkFile(
  source: FileSource,
  settings: ReadSettings,
  signal: AbortSignal,
  onProgress: (progress: CheckProgress) => void = () => {},
): Promise<FileCheck> {
  signal.throwIfAborted();
  const header = await headerOf(source, settings);
  const converter = converterOf(settings, header);
  const fields = new FieldCount();
  const broken: BrokenEvent[] = [];
  let events = 0;
  let brokenCount = 0;
  let withoutTime = 0;
  let unreadTimes: UnreadTimes | undefined;
  let first: Instant | undefined;
  let last: Instant | undefined;
  const sink = new EventSink(settings, converter, header?.record !== undefined, {
    event: ({ value, time, unread, line }) => {
      events += 1;
      fields.add(value);
      if (unread !== undefined) {
        unreadTimes ??= { ...unread, line, events: 0 };
        unreadTimes = { ...unreadTimes, events: unreadTimes.events + 1 };
      } else if (time === undefined) withoutTime += 1;
      else {
        if (first === undefined || compareInstants(time, first) < 0) first = time;
        if (last === undefined || compareInstants(time, last) > 0) last = time;
      }
    },
    broken: ({ line, lastLine, reason, text }) => {
      if (settings.broken === 'stop') sink.isFull = true;
      else if (sink.isFull) return;
      brokenCount += 1;
      if (broken.length < BROKEN_MAX) broken.push({ line, lastLine, reason, text });
    },
  });
  for await (const stream of scan(source, settings, batchLimits.eventBytes, sink)) {
    signal.throwIfAborted();
    onProgress({ bytes: stream.stored, totalBytes: source.size, events, broken: brokenCount });
  }
  if (events + brokenCount === 0) throw new FileProblem(noEvents(settings));
  const appended = await appendedBytes(source);
  return {
    events,
    brokenCount,
    broken,
    fields: fields.list(),
    ...(first && { firstTime: formatInstant(first) }),
    ...(last && { lastTime: formatInstant(last) }),
    withoutTime,
    ...(unreadTimes && { unreadTimes }),
    mistyped: mistypedOf(converter, header?.names ?? []),
    ...(appended > 0 && { appendedBytes: appended }),
  };
}

function mistypedOf(converter: unknown, names: readonly string[]): Record<string, number> {
  if (!(converter instanceof CsvConverter)) return {};
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const count = converter.mistyped[index] ?? 0;
      return count > 0 ? [[name, count]] : [];
    }),
  );
}

interface Node {
  /** The name as stored. */
  readonly name: string;
  readonly types: Set<string>;
  eventCount: number;
  readonly children: Map<string, Node>;
}

const reserved: ReadonlySet<string> = new Set(RESERVED_FIELDS);

/** Counts fields in a tree of names, so that each full name is built only once. */
class FieldCount {
  readonly #root: Node = newNode('');
  #count = 0;

  add(event: Readonly<Record<string, unknown>>): void {
    this.#addMembers(this.#root, event, '', 1);
  }

  #addMembers(
    parent: Node,
    members: Readonly<Record<string, unknown>>,
    prefix: string,
    depth: number,
  ): void {
    for (const key of Object.keys(members)) {
      let node = parent.children.get(key);
      if (node === undefined) {
        if (this.#count >= FIELDS_MAX) continue;
        this.#count += 1;
        const name = prefix + key;
        node = newNode(reserved.has(name) ? RESERVED_FIELD_PREFIX + name : name);
        parent.children.set(key, node);
      }
      const value = members[key];
      if (
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        !(value instanceof NumberText)
      ) {
        if (depth === INGEST_NESTING_MAX) node.types.add('unknown');
        else {
          const inner = value as Readonly<Record<string, unknown>>;
          this.#addMembers(node, inner, `${node.name}.`, depth + 1);
        }
      } else if (value === null) node.types.add('unknown');
      else {
        node.types.add(typeOf(value));
        node.eventCount += 1;
      }
    }
  }

  list(): FileCheck['fields'] {
    const fields: FileCheck['fields'][number][] = [];
    const visit = (node: Node) => {
      const types = [...node.types].filter((type) => type !== 'unknown' || node.types.size === 1);
      if (types.length > 0) fields.push({ name: node.name, types, eventCount: node.eventCount });
      for (const child of node.children.values()) visit(child);
    };
    for (const child of this.#root.children.values()) visit(child);
    return fields;
  }
}

function newNode(name: string): Node {
  return { name, types: new Set(), eventCount: 0, children: new Map() };
}

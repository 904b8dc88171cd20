/**
 * Messages of the Model Context Protocol over standard input and output: one JSON value per line. The SDK's own transport
 * ends the server at a line that is too long; this one skips the line and answers with an error.
 */
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/** Maximum size of a message in bytes. */
export const MESSAGE_BYTES_MAX = 10 * 1024 * 1024;

const codes = { parse: -32_700, invalid: -32_600 } as const;

/** Bytes at the start and end of a skipped message in which its identifier is searched. */
const ENDS_BYTES = 4_096;

const LINE_FEED = 10;

export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isClosed = false;
  /** The last bytes of a message that is too long. */
  #tail: Buffer | undefined;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#input.once('end', () => void this.close());
    this.#input.once('error', () => void this.close());
    this.#output.once('error', () => void this.close());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    const isFree = this.#output.write(`${JSON.stringify(message)}\n`);
    if (isFree) return;
    await new Promise<void>((resolve) => {
      const go = () => {
        this.#output.off('drain', go).off('close', go);
        resolve();
      };
      this.#output.once('drain', go).once('close', go);
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.pause();
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#add(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes <= MESSAGE_BYTES_MAX) {
      this.#pieces.push(piece);
      return;
    }
    // Only both ends of a message that is too long are kept.
    const before = this.#tail ?? Buffer.concat(this.#pieces).subarray(-ENDS_BYTES);
    if (this.#tail === undefined) {
      this.#pieces = [Buffer.from(Buffer.concat(this.#pieces).subarray(0, ENDS_BYTES))];
    }
    this.#tail = Buffer.from(Buffer.concat([before, piece]).subarray(-ENDS_BYTES));
  }

  #endLine(): void {
    const line = Buffer.concat(this.#pieces).toString('utf8');
    const tail = this.#tail?.toString('utf8');
    this.#pieces = [];
    this.#bytes = 0;
    this.#tail = undefined;
    if (tail !== undefined) {
      const limit = `${MESSAGE_BYTES_MAX / 1024 / 1024} MB`;
      this.#refuse(
        codes.invalid,
        `The message is larger than ${limit}. Send less.`,
        idIn(line, tail),
      );
      return;
    }
    if (line.trim() !== '') this.#receive(line);
  }

  #receive(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(codes.parse, 'The message is not valid JSON.');
      return;
    }
    const message = JSONRPCMessageSchema.safeParse(value);
    if (message.success) {
      this.#pass(message.data);
      return;
    }
    const { id, method } = Object(value) as { id?: unknown; method?: unknown };
    // A notification is never answered.
    if (id === undefined && typeof method === 'string') return;
    const text = Array.isArray(value)
      ? 'Batches are not supported. Send each message on its own line.'
      : 'The message is not valid JSON-RPC 2.0.';
    this.#refuse(codes.invalid, text, isId(id) ? id : undefined);
  }

  /** Passes a message on. The SDK throws at a message that is nested too deeply, which would end the process. */
  #pass(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      // A notification or response is never answered.
      if ('method' in message && 'id' in message) {
        this.#refuse(codes.invalid, 'The message cannot be processed.', message.id);
      }
    }
  }

  #refuse(code: number, message: string, id?: string | number): void {
    const error = { code, message };
    void this.send({ jsonrpc: '2.0', ...(id !== undefined && { id }), error });
  }
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
}

/** Finds the identifier of a skipped request. Clients write it first or last. */
function idIn(head: string, tail: string): string | number | undefined {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[^"\\]*")/.exec(
    head,
  );
  const last = /"id"\s*:\s*(\d{1,15}|"[^"\\]*")\s*\}\s*$/.exec(tail);
  const written = (first ?? last)?.[1];
  return written === undefined ? undefined : (JSON.parse(written) as string | number);
}

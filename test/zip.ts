/** Reads zip archives: workbooks and packages of the extension. */
import assert from 'node:assert/strict';
import { crc32, inflateRawSync } from 'node:zlib';

/** Returns the content of each entry of the central directory by its name. Fails if a checksum is wrong. */
export function unzip(body: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>();
  const end = body.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  assert.ok(end >= 0, 'the zip has an end');
  let at = body.readUInt32LE(end + 16);
  for (let left = body.readUInt16LE(end + 10); left > 0; left--) {
    assert.equal(body.readUInt32LE(at), 0x02014b50);
    const checksum = body.readUInt32LE(at + 16);
    const compressed = body.readUInt32LE(at + 20);
    const names = [
      body.readUInt16LE(at + 28),
      body.readUInt16LE(at + 30),
      body.readUInt16LE(at + 32),
    ] as const;
    const local = body.readUInt32LE(at + 42);
    const name = body.toString('utf8', at + 46, at + 46 + names[0]);
    const start = local + 30 + body.readUInt16LE(local + 26) + body.readUInt16LE(local + 28);
    const bytes = body.subarray(start, start + compressed);
    const isStored = body.readUInt16LE(at + 10) === 0;
    const data = isStored ? bytes : inflateRawSync(bytes);
    assert.equal(crc32(data), checksum, name);
    entries.set(name, data);
    at += 46 + names[0] + names[1] + names[2];
  }
  return entries;
}

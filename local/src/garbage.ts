/**
 * Has the bytes of request bodies counted as part of the heap. Otherwise Node collects garbage for every 30
 * MiB that arrive, which was a twentieth of the work of ingest.
 */
import { setFlagsFromString } from 'node:v8';

/** The first V8 that knows the flag; older ones would complain about it on standard error. */
const KNOWN_FROM = [13, 6] as const;

const [major = 0, minor = 0] = process.versions.v8.split('.').map(Number);
if (major > KNOWN_FROM[0] || (major === KNOWN_FROM[0] && minor >= KNOWN_FROM[1]))
  setFlagsFromString('--external-memory-accounted-in-global-limit');

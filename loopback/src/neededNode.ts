/** The Node version that the local deployment needs, for HTTP, zstd and the database. */
const MAJOR = 22;
const MINOR = 19;

/** Returns why this Node cannot run something, for a person to read; undefined if it can. */
export function outdatedNode(program: string): string | undefined {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return undefined;
  return `${program} requires Node ${MAJOR}.${MINOR} or later. This is ${node}.`;
}

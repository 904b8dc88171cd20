/** The minimum Node version for the local deployment's HTTP, zstd and database. */
const MAJOR = 22;
const MINOR = 19;

/** Returns a message if this version of Node can't run a program; otherwise undefined. */
export function outdatedNode(program: string): string | undefined {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return undefined;
  return `${program} requires Node ${MAJOR}.${MINOR} or later. This is ${node}.`;
}

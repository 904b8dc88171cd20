// What a test file could change for the files after it in the same process.

const watched: Readonly<Record<string, object>> = {
  'process.env': process.env,
  globalThis,
  console,
  process,
  Math,
  JSON,
  Date,
  'Object.prototype': Object.prototype,
  'Array.prototype': Array.prototype,
  'String.prototype': String.prototype,
  'Date.prototype': Date.prototype,
};

/** Events of the process that a file must stop listening to. */
const events = ['uncaughtException', 'unhandledRejection', 'exit', 'SIGINT', 'SIGTERM'];

/** Properties of the process that change by themselves, and helpers of tslib, a part of ECharts. */
const ignored = /^process\.(_|env$|exitCode$|stdout$|stderr$|stdin$|channel$)|^globalThis\.__/;

/** A value, or the getter that Node replaces with the value on first use. */
type GlobalState = ReadonlyMap<string, unknown>;

export function globalState(): GlobalState {
  const state = new Map<string, unknown>([['process.cwd()', process.cwd()]]);
  for (const [name, object] of Object.entries(watched))
    for (const key of Object.getOwnPropertyNames(object)) {
      const { get, value } = Object.getOwnPropertyDescriptor(object, key) ?? {};
      if (!ignored.test(`${name}.${key}`)) state.set(`${name}.${key}`, get ?? value);
    }
  for (const event of events) state.set(`listeners of ${event}`, process.listenerCount(event));
  return state;
}

/** Names of the globals that are not as they were. */
export function globalChanges(before: GlobalState): string[] {
  const after = globalState();
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => !Object.is(before.get(name), after.get(name)),
  );
}

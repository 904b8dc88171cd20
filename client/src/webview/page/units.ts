/** Formats numbers with units. The exact number is still in the cell's tooltip and on the clipboard. */

/** A quantity's units, largest first, each with its size in the smallest unit. */
type Steps = readonly (readonly [size: number, suffix: string])[];

const time: Steps = [
  [86_400e9, 'd'],
  [3_600e9, 'h'],
  [60e9, 'min'],
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
];

function steps(base: number, suffixes: readonly string[]): Steps {
  return suffixes.map((suffix, at) => [base ** (suffixes.length - 1 - at), suffix] as const);
}

const decimalBytes = steps(1_000, ['PB', 'TB', 'GB', 'MB', 'kB', 'B']);
const binaryBytes = steps(1_024, ['PiB', 'TiB', 'GiB', 'MiB', 'KiB', 'B']);
const decimalBits = steps(1_000, ['Pb', 'Tb', 'Gb', 'Mb', 'kb', 'b']);
const binaryBits = steps(1_024, ['Pib', 'Tib', 'Gib', 'Mib', 'Kib', 'b']);
const counts = steps(1_000, [' T', ' B', ' M', ' K', '']);
const hertz = steps(1_000, ['THz', 'GHz', 'MHz', 'kHz', 'Hz']);

const per = (rows: Steps, suffix: string): Steps =>
  rows.map(([size, name]) => [size, `${name}${suffix}`] as const);

interface Unit {
  readonly steps: Steps;
  /** The unit's size in the smallest unit of its quantity. */
  readonly size: number;
}

const unit = (rows: Steps, size = 1): Unit => ({ steps: rows, size });

/** The service's units that can be scaled, by name. */
const scaled: Readonly<Record<string, Unit>> = {
  ns: unit(time),
  µs: unit(time, 1e3),
  us: unit(time, 1e3),
  ms: unit(time, 1e6),
  s: unit(time, 1e9),
  m: unit(time, 60e9),
  min: unit(time, 60e9),
  h: unit(time, 3_600e9),
  d: unit(time, 86_400e9),
  dtdurationms: unit(time, 1e6),
  dtdurations: unit(time, 1e9),
  bytes: unit(binaryBytes),
  kbytes: unit(binaryBytes, 1_024),
  mbytes: unit(binaryBytes, 1_024 ** 2),
  gbytes: unit(binaryBytes, 1_024 ** 3),
  decbytes: unit(decimalBytes),
  deckbytes: unit(decimalBytes, 1e3),
  decmbytes: unit(decimalBytes, 1e6),
  decgbytes: unit(decimalBytes, 1e9),
  bits: unit(binaryBits),
  decbits: unit(decimalBits),
  Bps: unit(per(decimalBytes, '/s')),
  binBps: unit(per(binaryBytes, '/s')),
  bps: unit(per(decimalBits, '/s')),
  binbps: unit(per(binaryBits, '/s')),
  hertz: unit(hertz),
  hz: unit(hertz),
  short: unit(counts),
  reqps: unit(per(counts, ' req/s')),
  rps: unit(per(counts, ' req/s')),
  ops: unit(per(counts, ' ops/s')),
};

type Plain = readonly [prefix: string, factor: number, suffix: string];

const plain: Readonly<Record<string, Plain>> = {
  percent: ['', 1, '%'],
  percent100: ['', 1, '%'],
  percentunit: ['', 100, '%'],
  currencyUSD: ['$', 1, ''],
  currencyEUR: ['€', 1, ''],
  currencyGBP: ['£', 1, ''],
  celsius: ['', 1, ' °C'],
  fahrenheit: ['', 1, ' °F'],
};

const format = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** A number in its most readable unit, with the text before and after it. */
interface Scaled {
  readonly prefix: string;
  readonly value: number;
  readonly suffix: string;
}

/** Returns undefined for an unknown unit or an invalid number. */
export function scaledTo(text: string, name: string): Scaled | undefined {
  const value = Number(text);
  if (text === '' || !Number.isFinite(value)) return undefined;
  const simple = Object.hasOwn(plain, name) ? plain[name] : undefined;
  if (simple) return { prefix: simple[0], value: value * simple[1], suffix: simple[2] };
  const known = Object.hasOwn(scaled, name) ? scaled[name] : undefined;
  if (known === undefined) return undefined;
  const size = value * known.size;
  // A number below all steps, such as 0, keeps its original unit.
  const [step, suffix] =
    known.steps.find(([least]) => Math.abs(size) >= least) ??
    (known.steps.find(([least]) => least === known.size) as Steps[number]);
  const space = suffix === '' || suffix.startsWith(' ') ? '' : ' ';
  return { prefix: '', value: size / step, suffix: `${space}${suffix}` };
}

/** Formats a number in its unit, such as `1.2 s` for 1204.5 ms; undefined for an unknown unit or invalid number. */
export function withUnit(text: string, name: string): string | undefined {
  const found = scaledTo(text, name);
  return found && `${found.prefix}${format.format(found.value)}${found.suffix}`;
}

// The service's units with their names, grouped by quantity.

export const unitGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Time: {
    ns: 'nanoseconds',
    µs: 'microseconds',
    ms: 'milliseconds',
    s: 'seconds',
    m: 'minutes',
    h: 'hours',
    d: 'days',
  },
  Data: {
    decbytes: 'bytes, shown in kB, MB…',
    deckbytes: 'kilobytes',
    decmbytes: 'megabytes',
    decgbytes: 'gigabytes',
    bytes: 'bytes, shown in KiB, MiB…',
    kbytes: 'kibibytes',
    mbytes: 'mebibytes',
    gbytes: 'gibibytes',
    decbits: 'bits, shown in kb, Mb…',
    bits: 'bits, shown in Kib, Mib…',
  },
  Rate: {
    reqps: 'requests per second',
    ops: 'operations per second',
    Bps: 'bytes per second, in kB/s, MB/s…',
    binBps: 'bytes per second, in KiB/s, MiB/s…',
    bps: 'bits per second, in kb/s, Mb/s…',
    hertz: 'hertz',
  },
  Number: {
    short: 'counts, shown in K, M…',
    percent: 'percent, 0 to 100',
    percentunit: 'percent, 0.0 to 1.0',
  },
  Temperature: {
    celsius: '°C',
    fahrenheit: '°F',
  },
  Currency: {
    currencyUSD: 'US dollars',
    currencyEUR: 'euros',
    currencyGBP: 'pounds sterling',
  },
};

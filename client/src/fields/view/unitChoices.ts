// Units of the service with their names, by quantity.

export interface UnitGroup {
  readonly label: string;
  readonly units: readonly (readonly [name: string, words: string])[];
}

export const unitGroups: readonly UnitGroup[] = [
  {
    label: 'Time',
    units: [
      ['ns', 'nanoseconds'],
      ['µs', 'microseconds'],
      ['ms', 'milliseconds'],
      ['s', 'seconds'],
      ['m', 'minutes'],
      ['h', 'hours'],
      ['d', 'days'],
    ],
  },
  {
    label: 'Data',
    units: [
      ['decbytes', 'bytes, shown in kB, MB…'],
      ['deckbytes', 'kilobytes'],
      ['decmbytes', 'megabytes'],
      ['decgbytes', 'gigabytes'],
      ['bytes', 'bytes, shown in KiB, MiB…'],
      ['kbytes', 'kibibytes'],
      ['mbytes', 'mebibytes'],
      ['gbytes', 'gibibytes'],
      ['decbits', 'bits, shown in kb, Mb…'],
      ['bits', 'bits, shown in Kib, Mib…'],
    ],
  },
  {
    label: 'Rate',
    units: [
      ['reqps', 'requests per second'],
      ['ops', 'operations per second'],
      ['Bps', 'bytes per second, in kB/s, MB/s…'],
      ['binBps', 'bytes per second, in KiB/s, MiB/s…'],
      ['bps', 'bits per second, in kb/s, Mb/s…'],
      ['hertz', 'hertz'],
    ],
  },
  {
    label: 'Number',
    units: [
      ['short', 'counts, shown in K, M…'],
      ['percent', 'percent, 0 to 100'],
      ['percentunit', 'percent, 0.0 to 1.0'],
    ],
  },
  {
    label: 'Temperature',
    units: [
      ['celsius', '°C'],
      ['fahrenheit', '°F'],
    ],
  },
  {
    label: 'Currency',
    units: [
      ['currencyUSD', 'US dollars'],
      ['currencyEUR', 'euros'],
      ['currencyGBP', 'pounds sterling'],
    ],
  },
];

/**
 * The settings that the server reads, asked of the client one by one, so that no other setting comes
 * along. A value of the wrong type counts as the default: people write settings by hand.
 */

export interface Settings {
  /** Whether Run stands above each query. */
  readonly runLens: boolean;
  /** Whether Run to here stands above each stage. */
  readonly stageLens: boolean;
  /** Whether the types of new columns and lets stand behind their names. */
  readonly columnTypeHints: boolean;
  /** Whether the columns that leave a stage stand at the end of its line. */
  readonly resultColumnHints: boolean;
  /** The codes of problems that are not told. */
  readonly disabledProblems: readonly string[];
  /** Whether the deployment is asked for the frequent values of a field. */
  readonly valuesFromDeployment: boolean;
  /** The columns that a formatted line should not pass. */
  readonly formatWidth: number;
}

interface SettingRow<T> {
  /** The name without the prefix `aplomb.`. */
  readonly name: string;
  readonly fallback: T;
  readonly usable: (value: unknown) => boolean;
}

const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isColumns = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 20 && value <= 1_000;

/** Each setting with its name in the editor; the manifest has the same defaults. */
export const settingRows: { readonly [K in keyof Settings]: SettingRow<Settings[K]> } = {
  runLens: { name: 'codeLens.enabled', fallback: true, usable: isFlag },
  stageLens: { name: 'codeLens.runToHere', fallback: false, usable: isFlag },
  columnTypeHints: { name: 'inlayHints.columnTypes', fallback: false, usable: isFlag },
  resultColumnHints: { name: 'inlayHints.resultColumns', fallback: false, usable: isFlag },
  disabledProblems: { name: 'diagnostics.disabled', fallback: [], usable: isTexts },
  valuesFromDeployment: {
    name: 'completion.valuesFromDeployment',
    fallback: true,
    usable: isFlag,
  },
  formatWidth: { name: 'format.width', fallback: 100, usable: isColumns },
};

export const settingKeys = Object.keys(settingRows) as (keyof Settings)[];

/** The settings of values in the order of `settingKeys`; a missing or unusable one is the default. */
export function settingsFrom(values: readonly unknown[]): Settings {
  return Object.fromEntries(
    settingKeys.map((key, i) => {
      const { fallback, usable } = settingRows[key];
      return [key, usable(values[i]) ? values[i] : fallback];
    }),
  ) as unknown as Settings;
}

export const defaultSettings: Settings = settingsFrom([]);

/** The settings that the server reads. Users edit settings by hand, so an invalid value becomes the default. */

export interface Settings {
  /** Show a Run action above each query. */
  readonly runLens: boolean;
  /** Show a Run to here action above each stage. */
  readonly stageLens: boolean;
  /** Show the types of new columns and `let` statements after their names. */
  readonly columnTypeHints: boolean;
  /** Show the columns that leave a stage at the end of the stage's line. */
  readonly resultColumnHints: boolean;
  readonly disabledProblems: readonly string[];
  /** Request fields' most frequent values from the deployment. */
  readonly valuesFromDeployment: boolean;
  /** The preferred maximum width of a formatted line, in columns. */
  readonly formatWidth: number;
}

interface SettingRow<T> {
  /** The setting's name without the prefix `aplomb.`. */
  readonly name: string;
  readonly fallback: T;
  readonly usable: (value: unknown) => boolean;
}

const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isColumns = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 20 && value <= 1_000;

/** Each setting's name, default and validation. The defaults equal those in the extension's manifest. */
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

/** Converts values in the order of `settingKeys`. A missing or invalid value becomes the default. */
export function settingsFrom(values: readonly unknown[]): Settings {
  return Object.fromEntries(
    settingKeys.map((key, i) => {
      const { fallback, usable } = settingRows[key];
      return [key, usable(values[i]) ? values[i] : fallback];
    }),
  ) as unknown as Settings;
}

export const defaultSettings: Settings = settingsFrom([]);

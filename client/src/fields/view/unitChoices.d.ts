/** The units of the service in the words of a person, by quantity. */
export interface UnitGroup {
  readonly label: string;
  readonly units: readonly (readonly [name: string, words: string])[];
}
export declare const unitGroups: readonly UnitGroup[];

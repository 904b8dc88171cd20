/** The error for SQL that ClickHouse can't run with the same result. `feature` names the function or the form. */
export class NotOnEngine extends Error {
  readonly feature: string;

  constructor(feature: string) {
    super(`ClickHouse has no equivalent of ${feature}.`);
    this.name = 'NotOnEngine';
    this.feature = feature;
  }
}

/** The form that asks a person for the values of a query's parameters. */
import type { ParameterType } from '../../../server/src/protocol.ts';

export interface ParameterField {
  readonly name: string;
  readonly type: ParameterType;
  /** The type and default value, as shown to the person. */
  readonly note: string;
  /** The initial text of the field. */
  readonly text: string;
}

export interface ParameterForm {
  readonly id: number;
  readonly title: string;
  readonly fields: readonly ParameterField[];
}

/** The form that asks a person for the values of a query's parameters. */
import type { ParameterType } from '../../../server/src/protocol.ts';

/** A parameter of a query in the form that asks for its value. */
export interface ParameterField {
  readonly name: string;
  readonly type: ParameterType;
  /** The type and the default, for people. */
  readonly note: string;
  /** The text of the field at first. */
  readonly text: string;
}

export interface ParameterForm {
  readonly id: number;
  readonly title: string;
  readonly fields: readonly ParameterField[];
}

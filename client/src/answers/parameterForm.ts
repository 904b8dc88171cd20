/** The form that asks the user for a query's parameter values. */
import type { ParameterType } from '../../../server/src/protocol.ts';

export interface ParameterField {
  readonly name: string;
  readonly type: ParameterType;
  /** The parameter's type and default value, as shown to the user. */
  readonly note: string;
  /** The field's initial text. */
  readonly text: string;
}

export interface ParameterForm {
  readonly id: number;
  readonly title: string;
  readonly fields: readonly ParameterField[];
}

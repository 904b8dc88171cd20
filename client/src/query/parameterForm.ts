// The form for the parameters of a query: one step for each, with what was typed before or the default in it.
import * as vscode from 'vscode';
import type { QueryParameter } from '../../../server/src/protocol.ts';
import { createInputBox, createQuickPick, type PickItem, type QuickPick } from '../ui/inputs.ts';
import { readParameter } from './parameterValues.ts';

/** What was typed by name; null for the default that the query declares. */
export type FilledTexts = ReadonlyMap<string, string | null>;

type Step = { readonly text: string | null } | 'back' | undefined;

/** Asks for every parameter, from the first to the last and back; undefined where the person gives up. */
export async function askForParameters(
  title: string,
  parameters: readonly QueryParameter[],
  before: FilledTexts,
): Promise<FilledTexts | undefined> {
  const filled = new Map<string, string | null>();
  for (let at = 0; at < parameters.length; ) {
    const parameter = parameters[at] as QueryParameter;
    const { name } = parameter;
    const text = filled.has(name) ? filled.get(name) : before.get(name);
    const step = await askForOne(parameter, text ?? undefined, {
      // The title stays while a message about what was typed takes the place of the prompt.
      title: `${name}: ${parameter.type}`,
      prompt: promptFor(title, parameter),
      step: at + 1,
      totalSteps: parameters.length,
    });
    if (step === undefined) return undefined;
    if (step === 'back') {
      at -= 1;
      continue;
    }
    filled.set(name, step.text);
    at += 1;
  }
  return filled;
}

interface StepOptions {
  readonly title: string;
  readonly prompt: string;
  readonly step: number;
  readonly totalSteps: number;
}

function askForOne(
  parameter: QueryParameter,
  before: string | undefined,
  options: StepOptions,
): Promise<Step> {
  return parameter.type === 'bool'
    ? chooseOne(parameter, before, options)
    : typeOne(parameter, before, options);
}

/** An empty text of a string parameter is a value; other types have no empty one. */
function typeOne(
  { type, defaultText }: QueryParameter,
  before: string | undefined,
  options: StepOptions,
): Promise<Step> {
  const input = createInputBox();
  input.prompt = options.prompt;
  input.value = before ?? defaultText ?? '';
  const problem = (): string | undefined => {
    if (input.value === defaultText) return undefined;
    const typed = readParameter(type, input.value, Date.now());
    return typed.ok ? undefined : typed.message;
  };
  input.onDidChangeValue(() => {
    input.validationMessage = problem();
  });
  return answered(input, options, () => {
    input.validationMessage = problem();
    if (input.validationMessage !== undefined) return undefined;
    return { text: input.value === defaultText ? null : input.value };
  });
}

function chooseOne(
  { defaultText }: QueryParameter,
  before: string | undefined,
  options: StepOptions,
): Promise<Step> {
  const input = createQuickPick<PickItem & { readonly label: string }>();
  input.placeholder = options.prompt;
  const current = before ?? defaultText ?? 'true';
  input.items = ['true', 'false'].map((label) => ({
    label,
    ...(label === defaultText && { description: 'default' }),
  }));
  input.activeItems = input.items.filter(({ label }) => label === current);
  return answered(input, options, () => {
    const label = input.activeItems[0]?.label;
    if (label === undefined) return undefined;
    return { text: label === defaultText ? null : label };
  });
}

function promptFor(query: string, { defaultText }: QueryParameter): string {
  const usual = defaultText === undefined ? '' : ` Default: ${defaultText}.`;
  return `Parameter of "${query}".${usual}`;
}

/** Shows a step until it is accepted with a value, left by Back, or closed. */
function answered(
  input: vscode.InputBox | QuickPick<PickItem>,
  { title, step, totalSteps }: StepOptions,
  accept: () => Step,
): Promise<Step> {
  input.title = title;
  input.step = step;
  input.totalSteps = totalSteps;
  input.ignoreFocusOut = true;
  if (step > 1) input.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    const settle = (answer: Step): void => {
      resolve(answer);
      input.hide();
    };
    input.onDidTriggerButton(() => settle('back'));
    input.onDidAccept(() => {
      const answer = accept();
      if (answer !== undefined) settle(answer);
    });
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.show();
  });
}

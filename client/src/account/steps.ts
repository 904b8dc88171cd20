// A guided flow: one question after another, each with a Back button that keeps the answers.
import * as vscode from 'vscode';
import { createInputBox, createQuickPick, type PickItem, type QuickPick } from '../ui/inputs.ts';

export const back = Symbol('back');

/** The result of a question: an answer, a step back, or undefined if the user closed it. */
export type Answered<T> = T | typeof back | undefined;

export interface StepFrame {
  readonly title: string;
  readonly step: number;
  readonly steps: number;
}

/** One question in a multi-step flow. `ask` receives the answers so far and returns them with the new answer. */
export interface Step<State> {
  readonly title: string;
  readonly ask: (state: State, frame: StepFrame) => Promise<Answered<State>>;
  /** Whether to ask the question. Without this function, it is always asked. */
  readonly applies?: (state: State) => boolean;
}

/** Asks the questions from `start` on. Back in the first question leaves the flow. Undefined if the user closes one. */
export async function askSteps<State>(
  first: State,
  steps: readonly Step<State>[],
  start = 0,
): Promise<Answered<State>> {
  let state = first;
  const applies = (step: Step<State>): boolean => step.applies?.(state) ?? true;
  const passed = steps.slice(0, start).filter(applies);
  for (let step = steps[start]; step; ) {
    if (applies(step)) {
      const count = { step: passed.length + 1, steps: steps.filter(applies).length };
      const answer = await step.ask(state, { title: step.title, ...count });
      if (answer === undefined) return undefined;
      if (answer === back) {
        step = passed.pop();
        if (step === undefined) return back;
        continue;
      }
      state = answer;
      passed.push(step);
    }
    step = steps[steps.indexOf(step) + 1];
  }
  return state;
}

interface TextQuestion extends StepFrame {
  /** Whether the first question also has a Back button, because another flow precedes this one. */
  readonly hasBack?: boolean;
  readonly prompt: string;
  readonly placeHolder?: string;
  readonly value?: string;
  readonly password?: boolean;
  /** Returns an error for invalid text, or a message about valid text. */
  readonly check: (text: string) => string | vscode.InputBoxValidationMessage | undefined;
}

/** Asks for text and trims it. Rejects empty and invalid text. */
export function askText(question: TextQuestion): Promise<Answered<string>> {
  const input = createInputBox();
  const { prompt, placeHolder, value = '', password = false, check } = question;
  frame(input, question);
  Object.assign(input, { prompt, placeholder: placeHolder, value, password });
  const message = (text: string) => (text.trim() === '' ? undefined : check(text.trim()));
  const isError = (found: ReturnType<typeof message>) =>
    typeof found === 'string' || found?.severity === vscode.InputBoxValidationSeverity.Error;
  return answered(input, (finish) => [
    input.onDidChangeValue((text) => {
      input.validationMessage = message(text);
    }),
    input.onDidAccept(() => {
      const text = input.value.trim();
      const found = message(text);
      if (text !== '' && !isError(found)) finish(text);
      else if (found !== undefined) input.validationMessage = found;
    }),
  ]);
}

export interface Choice<T> extends PickItem {
  readonly value: T;
}

interface ChoiceQuestion<T> extends StepFrame {
  readonly placeHolder: string;
  readonly choices: readonly Choice<T>[];
  readonly active?: T | undefined;
}

export function askChoice<T>(question: ChoiceQuestion<T>): Promise<Answered<T>> {
  const input = createQuickPick<Choice<T>>();
  const { placeHolder, choices, active } = question;
  frame(input, question);
  input.placeholder = placeHolder;
  input.items = choices;
  input.matchOnDescription = true;
  input.activeItems = choices.filter(({ value }) => value === active);
  return answered(input, (finish) => [
    input.onDidAccept(() => {
      const [chosen] = input.selectedItems;
      if (chosen) finish(chosen.value);
    }),
  ]);
}

function frame(
  input: vscode.InputBox | QuickPick<PickItem>,
  { title, step, steps, hasBack = step > 1 }: StepFrame & { readonly hasBack?: boolean },
): void {
  input.title = title;
  input.ignoreFocusOut = true;
  if (hasBack) input.buttons = [vscode.QuickInputButtons.Back];
  if (steps > 1) {
    input.step = step;
    input.totalSteps = steps;
  }
}

function answered<T>(
  input: vscode.InputBox | QuickPick<Choice<T>>,
  listen: (finish: (answer: T) => void) => readonly vscode.Disposable[],
): Promise<Answered<T>> {
  return new Promise<Answered<T>>((resolve) => {
    const finish = (answer: Answered<T>) => {
      resolve(answer);
      input.dispose();
    };
    vscode.Disposable.from(
      ...listen(finish as (answer: T) => void),
      input.onDidTriggerButton(() => finish(back)),
      input.onDidHide(() => finish(undefined)),
    );
    input.show();
  });
}

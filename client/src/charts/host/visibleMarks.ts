/** Makes invisible characters in marks visible, so that they can neither hide nor reorder other text. */
import { visibleText } from '../../../../table/src/visibleText.ts';
import type { ChartMarks } from '../marks.ts';

export function visibleMarks({ annotations, thresholds, notes }: ChartMarks): ChartMarks {
  return {
    annotations: annotations.map(({ title, description, ...annotation }) => ({
      ...annotation,
      title: visibleText(title),
      ...(description !== undefined && { description: visibleText(description) }),
    })),
    thresholds: thresholds.map((threshold) => ({
      ...threshold,
      monitor: visibleText(threshold.monitor),
    })),
    notes: notes.map(visibleText),
  };
}

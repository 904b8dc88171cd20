/** Single statistics: the marks are the numbers. */
import type { StatisticData } from '../../chart.ts';
import { exactNumber } from '../format.ts';
import type { Drawing } from '../options/drawing.ts';
import { places } from '../options/places.ts';
import { changeSentence, maxStatistics, statisticOption } from '../options/statistic.ts';
import { inkOf } from '../palette.ts';
import type { Drawn } from './drawn.ts';

export function drawStatistic(data: StatisticData, drawing: Drawing): Drawn {
  const shown = data.statistics.slice(0, maxStatistics);
  const left = data.statistics.length - shown.length;
  const exact = ({ text, unit }: (typeof shown)[number]) =>
    text === undefined ? 'null' : exactNumber(text, unit);
  return {
    option: statisticOption(data, drawing),
    notices: [
      ...partialNotice(data),
      ...(left > 0 ? [`${left.toLocaleString('en-US')} more values are in the table.`] : []),
    ],
    description: shown.map((one) => `${one.name}: ${exact(one)}`).join('; '),
    marks: shown.length,
    markAt: (x, y, { width, height }) => {
      const index = places(shown.length, width, height).findIndex(
        (place) =>
          x >= place.left &&
          x < place.left + place.width &&
          y >= place.top &&
          y < place.top + place.height,
      );
      return index < 0 ? undefined : index;
    },
    hit: (mark, { width, height }, pointer) => {
      const one = shown[mark];
      const place = places(shown.length, width, height)[mark];
      if (one === undefined || place === undefined) return undefined;
      return {
        title: one.name,
        ...(one.change !== undefined && { note: changeSentence(one.change, data) }),
        rows: [
          {
            key: one.key,
            name: 'Value',
            value: one.text ?? 'null',
            color: inkOf(0, drawing.theme.brightness).color,
          },
        ],
        hot: { key: one.key, name: one.name, ...(one.origin && { origin: one.origin }) },
        at: pointer ?? [place.left + place.width / 2, place.top + 8],
        line: false,
      };
    },
    hasTimeAxis: false,
  };
}

/** Which bins a change leaves out. */
function partialNotice({ statistics, partial }: StatisticData): string[] {
  const which = [partial?.first && 'first', partial?.last && 'last'].filter(Boolean);
  if (which.length === 0 || statistics.every(({ change }) => change === undefined)) return [];
  const bins = which.length === 1 ? `The ${which[0]} bin is` : 'The first and the last bin are';
  return [`${bins} partial and left out of the change.`];
}

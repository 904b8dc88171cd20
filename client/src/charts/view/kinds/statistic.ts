/** Draws single statistics. Their marks are the numbers. */
import { grouped } from '../../../../../formats/src/counts.ts';
import type { StatisticData } from '../../../../../table/src/chart/chart.ts';
import { exactText, timeText } from '../format.ts';
import type { Drawing } from '../options/drawing.ts';
import { places } from '../options/places.ts';
import { changeSentence, maxStatistics, statisticOption } from '../options/statistic.ts';
import { inkOf } from '../palette.ts';
import type { Drawn } from './drawn.ts';
import { sentences } from './leftOut.ts';

export function drawStatistic(data: StatisticData, drawing: Drawing): Drawn {
  const shown = data.statistics.slice(0, maxStatistics);
  const left = data.statistics.length - shown.length;
  return {
    option: statisticOption(data, drawing),
    notices: sentences(
      ...comparedNotices(data, drawing),
      left > 0 && `${grouped(left)} more values are in the table.`,
    ),
    description: shown.map((one) => `${one.name}: ${exactText(one)}`).join('; '),
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
        ...(one.change !== undefined && { note: changeSentence(one.change, data, drawing) }),
        rows: [
          {
            key: one.key,
            name: 'Value',
            value: exactText(one),
            color: inkOf(0, drawing.theme.brightness).color,
          },
        ],
        hot: one,
        at: pointer ?? [place.left + place.width / 2, place.top + 8],
      };
    },
  };
}

/** Explains which partial bins are excluded from a change. */
function comparedNotices(
  { statistics, partial, data, binMilliseconds }: StatisticData,
  { timeZone }: Drawing,
): string[] {
  if (statistics.every(({ change }) => change === undefined)) return [];
  const { first, last } = data ?? {};
  const at = (time: number) => timeText(time, timeZone, binMilliseconds);
  const cut = [
    first === undefined && partial?.first && 'first',
    last === undefined && partial?.last && 'last',
  ].filter(Boolean);
  const bins = cut.length === 2 ? 'The first and the last bin are' : `The ${cut[0]} bin is`;
  const left = 'The change leaves out that bin and the empty ones';
  return sentences(
    cut.length > 0 && `${bins} partial and left out of the change.`,
    first !== undefined && `The data begins in the bin at ${at(first)}. ${left} before.`,
    last !== undefined && `The data ends in the bin at ${at(last)}. ${left} after.`,
  );
}

/** The parts of a statistic, in cells of every size: they do not overlap, and stay inside the cell. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statisticPlace } from '../../../client/src/charts/view/options/statisticPlace.ts';

describe('a statistic', () => {
  it('has its number, text lines and trend one below the other, inside its cell', () => {
    for (let height = 44; height <= 600; height += 4) {
      for (const width of [150, 320, 1_000]) {
        for (const characters of [3, 9, 26]) {
          for (const hasChange of [true, false]) {
            const place = statisticPlace({ width, height, characters, hasTrend: true, hasChange });
            const name = JSON.stringify({ width, height, characters, hasChange });
            const lines = hasChange && !place.oneLine ? 2 : 1;
            assert.ok(place.textTop >= 0, name);
            assert.ok(place.numberLine >= place.size, name);
            assert.equal(
              place.textBottom - place.textTop,
              place.numberLine + place.gap + lines * place.line,
              name,
            );
            assert.ok(place.textBottom <= height, name);
            const { trend } = place;
            if (trend === undefined) continue;
            assert.ok(trend.top > place.textBottom, name);
            assert.ok(trend.height >= 16 && trend.top + trend.height <= height, name);
          }
        }
      }
    }
  });

  it('has a trend even in a cell 105 pixels high', () => {
    const place = statisticPlace({
      width: 1_000,
      height: 105,
      characters: 9,
      hasTrend: true,
      hasChange: true,
    });
    assert.ok((place.trend?.height ?? 0) >= 24, JSON.stringify(place));
    assert.equal(place.oneLine, true);
  });

  it('is centered vertically if it has no trend', () => {
    const { textTop, textBottom } = statisticPlace({
      width: 300,
      height: 200,
      characters: 5,
      hasTrend: false,
      hasChange: false,
    });
    assert.equal(Math.round(textTop), Math.round(200 - textBottom));
  });
});

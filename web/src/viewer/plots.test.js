import assert from 'node:assert/strict';
import test from 'node:test';
import {gutterFor, labelsOf, onSpans, rangeOf, ticksOf, timeTicks, timeToX, xToTime} from './plot_paint.js';
import {curvesOf, describe, valueAt} from './plots.js';

const track = (name, lines) => ({name, color: name, times: [1, 2], series: lines.map((line) => ({plot: 'p', line, values: [0, 1]}))});
const showAll = {selected: 1, visible: [true, true]};

test('a plot with one line compares the visible tracks, the selected one in full', () => {
  const curves = curvesOf({name: 'p'}, [track('red', ['v']), track('blue', ['v'])], showAll, ['c1']);
  assert.deepEqual(curves.map((c) => [c.name, c.color, c.faint]), [['red', 'red', true], ['blue', 'blue', false]]);
  const hidden = curvesOf({name: 'p'}, [track('red', ['v']), track('blue', ['v'])], {selected: 1, visible: [false, true]}, ['c1']);
  assert.deepEqual(hidden.map((c) => c.name), ['blue']);
});

test('a plot with several lines shows those of the selected track', () => {
  const curves = curvesOf({name: 'p'}, [track('red', ['x', 'y']), track('blue', ['x', 'y'])], showAll, ['c1', 'c2']);
  assert.deepEqual(curves.map((c) => [c.name, c.color]), [['x', 'c1'], ['y', 'c2']]);
});

test('a curve has no value before it begins or where it is not a number', () => {
  const curve = {times: [1, 2], values: [-0.5, NaN]};
  assert.deepEqual([0, 1.5, 2].map((t) => valueAt(curve, t)), ['–', '−0.50', '–']);
});

test('the range holds every finite value, and its ticks are round and inside', () => {
  const [low, high] = rangeOf([{values: [0, NaN, 10]}, {values: [Infinity, -2]}]);
  assert.ok(low < -2 && high > 10 && high < 12);
  assert.deepEqual(ticksOf([-2.9, 10.9]), [0, 5, 10]);
  assert.deepEqual(rangeOf([]), [-1, 1]);
});

test('pixels and times are each other\'s inverse', () => {
  const frame = {width: 300, gutter: 40, start: 2, end: 6};
  assert.ok(Math.abs(xToTime(timeToX(3.7, frame), frame) - 3.7) < 1e-12);
});

test('contacts are joined into spans', () => {
  assert.deepEqual(onSpans([1, 1, 0, 1]), [[0, 2], [3, 4]]);
});

test('the time axis has round numbers, not more than there is room for', () => {
  assert.deepEqual(timeTicks([0, 6], 6), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(timeTicks([0, 2.42], 5), [0, 0.5, 1, 1.5, 2]);
  assert.deepEqual(timeTicks([0, 1.4], 5), [0, 0.5, 1]);
  assert.deepEqual(timeTicks([3, 3], 4), [3]);
});

test('labels are not cut: the axis takes the room of the longest, up to a third', () => {
  const widthOf = (label) => 6 * label.length;
  assert.equal(gutterFor(['FL', 'FR'], widthOf, 300), 28);
  assert.equal(gutterFor(['left_ankle'], widthOf, 300), 70);
  assert.equal(gutterFor(['x'.repeat(200)], widthOf, 300), 100);
  assert.deepEqual(labelsOf('lines', [{values: [-1, 1]}]), ['−1', '0', '1']);
  assert.deepEqual(labelsOf('on-off', [{name: 'FL', values: []}]), ['FL']);
});

test('a plot says its question and its answer', () => {
  const curve = {name: 'direct', times: [0, 1], values: [0.3, 0.32]};
  assert.equal(describe({name: 'height', unit: 'm'}, [curve]), 'How does height (m) change over time? direct ends at 0.32.');
  assert.equal(describe({name: 'contact', unit: '', kind: 'on-off'}, [{name: 'FL', values: [1, 0, 0, 0]}]),
    'How does contact change over time? FL is on 25 % of the time.');
});
